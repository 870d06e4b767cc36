/* Asks how much scratch a batch takes, for which no device has to be there. */
#include <magma_v2.h>
#include <stdio.h>

int main(void) {
  magma_int_t bytes = -1;
  const magma_int_t info = magma_dgetrf_vbatched_max_nocheck_work(NULL, NULL, 100, 100, 100, 100 * 100, NULL,
                                                                  NULL, NULL, NULL, NULL, &bytes, 1000, NULL);
  printf("%d bytes\n", (int)bytes);
  return info != 0 || bytes <= 0;
}
