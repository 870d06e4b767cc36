#include <cmath>
#include <cstdio>
#include <talus/talus.hpp>
#include <vector>

int main() {
  const talus::queue q = talus::queue::host();
  // The first column of A = [4 2 6; 2 5 7; 6 7 30] is eliminated. The results are L11 = 2,
  // L21 = [1; 3] and the Schur complement [5 7; 7 30] - [1; 3] [1 3] = [4 4; 4 21]. Only lower
  // triangles are used.
  std::vector<double> A{4, 2, 6, 0, 5, 7, 0, 0, 30};
  int info = -1;
  int status =
      talus::potrf_partial_strided_batched(talus::uplo::lower, 3, 1, A.data(), 3, 9, &info, 1, q);
  bool right = A[0] == 2 && A[1] == 1 && A[2] == 3 && A[4] == 4 && A[5] == 4 && A[8] == 21;

  // The same elimination with the blocks in three arrays. The Schur complement can then be freed
  // earlier than the factor.
  std::vector<double> A11{4}, A21{2, 6}, A22{5, 7, 0, 30};
  status |= talus::potrf_partial_split_strided_batched(
      talus::uplo::lower, 1, 2, A11.data(), 1, 1, A21.data(), 2, 2, A22.data(), 2, 4, &info, 1, q);
  right = right && A11[0] == 2 && A21[0] == 1 && A21[1] == 3 && A22[0] == 4 && A22[1] == 4 &&
          A22[3] == 21;
  std::printf("status %d, info %d, %s\n", status, info, right ? "right" : "wrong");
  return status != 0 || info != 0 || !right;
}
