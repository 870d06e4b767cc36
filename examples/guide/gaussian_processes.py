import numpy as np
import talus

# There are 300 series of 40 noisy observations, each with its own length scale. For each series the
# program tries 20 length scales and keeps the most likely: 6,000 covariance matrices in one call.
random = np.random.default_rng(1)
series, n, noise = 300, 40, 0.1
t = np.sort(random.uniform(0, 10, (series, n)))
true_length = random.uniform(0.5, 2, (series, 1))
y = np.sin(t / true_length) + noise * random.standard_normal((series, n))

lengths = np.linspace(0.2, 4, 20)
distance = t[:, None, :, None] - t[:, None, None, :]
K = np.exp(-0.5 * (distance / lengths[:, None, None]) ** 2)  # (300, 20, 40, 40)
K += noise**2 * np.eye(n)
targets = np.broadcast_to(y[:, None, :, None], (series, 20, n, 1))

L = talus.linalg.cholesky(K)
alpha = talus.linalg.cholesky_solve(targets, L)
log_determinant = 2 * np.log(np.diagonal(L, axis1=-2, axis2=-1)).sum(-1)
likelihood = -0.5 * (targets * alpha).sum((-2, -1)) - 0.5 * log_determinant

best = lengths[likelihood.argmax(1)]
print("correlation of lengths:", np.corrcoef(true_length[:, 0], best)[0, 1].round(2))

# Predict the curves between the observations, with the length scale found for each series.
at = np.linspace(1, 9, 50)
nearest = np.exp(-0.5 * ((at[:, None] - t[:, None, :]) / best[:, None, None]) ** 2)  # (300, 50, 40)
found = (nearest @ alpha[np.arange(series), likelihood.argmax(1)])[..., 0]
error = np.sqrt(np.mean((found - np.sin(at / true_length)) ** 2))
print("error of the curves:", error.round(3), "with noise of", noise)
assert error < noise
