# Writes the reference values that the tests of package stats compare with R's answers.
#
# Rerun, from this directory (Debian: apt-get install r-base-core):
#
#     Rscript reference.R
#
# The samples come from a fixed seed and are written into the files, so a rerun changes
# them only if R's answers change.

set.seed(1979)

num <- function(x) ifelse(is.finite(x), sprintf("%.17g", x), sprintf('"%s"', x))
list1 <- function(x) paste0("[", paste(num(x), collapse = ","), "]")
save <- function(name, cases) {
  writeLines(sprintf('{"r": "%s", "script": "reference.R", "cases": [\n%s\n]}', R.version.string,
                     paste(cases, collapse = ",\n")), paste0(name, ".json"))
}

families <- list(c(0.01, 0.04, 0.03, 0.005), 0.2, c(0, 1, 0.5), rep(0.01, 7), runif(40)^4,
                 round(runif(25)^3, 2))
save("holm", sapply(families, function(p)
  sprintf('{"p": %s, "holm": %s}', list1(p), list1(p.adjust(p, "holm")))))

# R counts the distribution out below 50 values each if there are no ties; with 50 or more
# it is asked not to. With ties it always takes the normal distribution.
pairs <- list()
for (n in list(c(1, 1), c(3, 4), c(5, 5), c(8, 12), c(20, 11), c(49, 49), c(51, 60), c(10, 80), c(200, 150)))
  pairs[[length(pairs) + 1]] <- list(a = rnorm(n[1]), b = rnorm(n[2], 0.5, 1.5))
for (n in list(c(26, 30), c(60, 40), c(100, 100)))
  pairs[[length(pairs) + 1]] <- list(a = as.numeric(rpois(n[1], 6)), b = as.numeric(rpois(n[2], 7)))
# Hollander & Wolfe 1999, example 4.1: permeability of membranes, term and earlier.
pairs[[length(pairs) + 1]] <- list(a = c(1.15, 0.88, 0.90, 0.74, 1.21),
                                   b = c(0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46))
save("mannwhitney", sapply(pairs, function(s) {
  exact <- max(length(s$a), length(s$b)) < 50 && !anyDuplicated(c(s$a, s$b))
  r <- suppressWarnings(wilcox.test(s$b, s$a, exact = exact, correct = TRUE))
  sprintf('{"a": %s, "b": %s, "exact": %s, "u": %s, "p": %s}', list1(s$a), list1(s$b),
          tolower(exact), num(r$statistic), num(r$p.value))
}))

# The interval of R's exact test; it stops short of infinity, so samples too small for a
# level are left out.
save("shift", unlist(lapply(pairs, function(s) lapply(c(0.8, 0.95, 0.99), function(conf) {
  exact <- max(length(s$a), length(s$b)) < 50 && !anyDuplicated(c(s$a, s$b))
  if (!exact || qwilcox((1 - conf) / 2, length(s$a), length(s$b)) == 0) return(NULL)
  r <- wilcox.test(s$b, s$a, exact = TRUE, conf.int = TRUE, conf.level = conf)
  sprintf('{"a": %s, "b": %s, "conf": %s, "value": %s, "low": %s, "high": %s}', list1(s$a),
          list1(s$b), num(conf), num(r$estimate), num(r$conf.int[1]), num(r$conf.int[2]))
}))))
