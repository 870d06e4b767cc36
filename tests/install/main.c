#include <talus/talus.h>

int main(void) {
  float A[4] = {4, 2, 0, 2};
  int info = -1;
  return talus_spotrf_strided_batched(TALUS_LOWER, 2, A, 2, 4, &info, 1, talus_queue_host()) != 0 ||
         info != 0 || A[3] != 1;
}
