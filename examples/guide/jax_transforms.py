import jax
import jax.numpy as jnp
import talus.jax

jax.config.update("jax_enable_x64", True)
A = jax.random.normal(jax.random.key(1), (100, 8, 8))
A = A @ A.mT + jnp.eye(8)


def log_determinant(matrix):
    L = talus.jax.cholesky(matrix)
    return 2 * jnp.log(jnp.diagonal(L)).sum()


derivatives = jax.jit(jax.vmap(jax.grad(log_determinant)))(A)
assert jnp.allclose(derivatives, jnp.linalg.inv(A))
