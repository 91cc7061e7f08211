package main

import (
	"math"
	"sync"
)

type trade struct {
	at    int64
	price float64
	size  float64
}

type candle struct {
	From  int64   `json:"from"`
	Open  float64 `json:"o"`
	High  float64 `json:"h"`
	Low   float64 `json:"l"`
	Close float64 `json:"c"`
	Size  float64 `json:"v"`
}

type market struct {
	mu     sync.RWMutex
	trades []trade
}

func newMarket(n int) *market {
	m := &market{}
	for i := range n {
		m.trades = append(m.trades, trade{int64(i) * 2, 100 + math.Round(math.Sin(float64(i)/90)*500)/100, float64(i%9 + 1)})
	}
	return m
}

func (m *market) candles(width int64) []candle {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if len(m.trades) == 0 {
		return []candle{}
	}
	span := m.trades[len(m.trades)-1].at - m.trades[0].at
	out := make([]candle, 0, span/width+1)
	for _, t := range m.trades {
		from := t.at / width * width
		if len(out) == 0 || out[len(out)-1].From != from {
			out = append(out, candle{From: from, Open: t.price, High: t.price, Low: t.price})
		}
		c := &out[len(out)-1]
		c.High, c.Low = max(c.High, t.price), min(c.Low, t.price)
		c.Close = t.price
		c.Size += t.size
	}
	return out
}
