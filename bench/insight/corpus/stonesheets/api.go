package main

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
)

type api struct{ sheets *sheets }

func (a *api) find(c *gin.Context) *sheet {
	id, err := strconv.Atoi(c.Param("id"))
	if err != nil {
		c.String(http.StatusBadRequest, "id is a number")
		return nil
	}
	sh, err := a.sheets.get(id)
	if err != nil {
		c.String(http.StatusNotFound, err.Error())
		return nil
	}
	return sh
}

func (a *api) stone(c *gin.Context) {
	if sh := a.find(c); sh != nil {
		c.JSON(http.StatusOK, gin.H{"title": sh.title, "samples": sh.samples, "strength": sh.strength})
	}
}

func (a *api) headings(c *gin.Context) {
	if sh := a.find(c); sh != nil {
		c.JSON(http.StatusOK, sh.headings)
	}
}
