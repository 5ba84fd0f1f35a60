# The same work by R and its package boot: prints {case: milliseconds}. Medians after one call to warm up.
times <- function(n, shift = 0) exp(4.6 + shift + 0.1 * rnorm(n))
med <- function(run, repeats) {
  run()
  median(replicate(repeats, system.time(run())[["elapsed"]])) * 1000
}
set.seed(1)
x20 <- times(20); x10 <- times(10); x5 <- times(1e5)
a <- times(1e6); b <- times(1e6, 0.0002)
out <- list(
  "mann-whitney" = med(function() wilcox.test(a, b), 3),
  "ucv" = med(function() bw.ucv(x5), 3)
)
name <- paste("R", getRversion())
if (requireNamespace("boot", quietly = TRUE)) {
  name <- paste0(name, ", boot ", packageVersion("boot"))
  statistic <- function(d, i) mean(d[i])
  out[["bca"]] <- med(function() boot::boot.ci(boot::boot(x20, statistic, 9999), type = "bca"), 3)
  out[["percentile"]] <- med(function() boot::boot.ci(boot::boot(x10, statistic, 10000), type = "perc"), 3)
}
if (requireNamespace("changepoint", quietly = TRUE)) {
  name <- paste0(name, ", changepoint ", packageVersion("changepoint"))
  every <- function(n, e) rnorm(n) * rep(exp(0.5 * rnorm(n / e)), each = e) + rep(3 * rnorm(n / e), each = e)
  y <- every(1e6, 500); z <- rnorm(2e4)
  pelt <- function(v) changepoint::cpt.meanvar(v, method = "PELT", penalty = "BIC")
  out[["pelt-1m"]] <- med(function() pelt(y), 1)
  out[["pelt-20k-none"]] <- med(function() pelt(z), 1)
}
cat(sprintf('{"name": "%s"%s}\n', name,
  paste0(sprintf(', "%s": %.3f', names(out), unlist(out)), collapse = "")))
