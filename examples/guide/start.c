#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <talus/talus.h>

int main(void) {
  enum { n = 16, count = 100000 };
  float* A = malloc(sizeof(float) * n * n * count);
  float* B = malloc(sizeof(float) * n * count);
  int* info = malloc(sizeof(int) * count);
  int status, wrong = 0;
  for (size_t i = 0; i < (size_t)n * n * count; ++i) A[i] = i % (n * n) % (n + 1) == 0 ? 2 : 1;
  for (size_t i = 0; i < (size_t)n * count; ++i) B[i] = 1;

  status = talus_sposv_strided_batched(TALUS_LOWER, n, 1, A, n, n * n, B, n, n, info, count,
                                       talus_queue_host());
  if (status != 0) fprintf(stderr, "%s\n", talus_strerror(status));
  for (int b = 0; b < count; ++b) wrong += info[b] != 0 || fabsf(B[n * b] - 1.0f / (n + 1)) > 1e-6f;
  printf("%d systems solved, %d of them wrong\n", count, wrong);
  free(info);
  free(B);
  free(A);
  return status != 0 || wrong != 0;
}
