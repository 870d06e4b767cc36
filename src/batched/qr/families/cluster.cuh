// The kernels of cluster.hpp.
#pragma once

#include "batched/qr/families/cluster.hpp"
#include "batched/qr/pieces/row_blocks.cuh"
#include "batched/qr/pieces/source.cuh"

namespace talus::cuda::householder {

/// geqrf, as in tasks.cuh.
template <class T>
struct factor_tall {
  static constexpr bool solves = false;
  vectors<T> tau;

  template <class Work>
  __device__ __forceinline__ void operator()(Work& on, const matrix<T>& A, std::int64_t b, T*, int*) const {
    on.factor(as_it_is(A), tau[b]);
  }
};

template <class Line, auto FORM, class Source, class Then>
int cluster::launch(Source source, int* info, queue q, Then then) {
  if constexpr (!Source::equal) {
    return err_unsupported;
  } else {
    using T = typename Source::element;
    constexpr cluster p = Line::kernel;
    using policy = cluster_policy<p.nb, p.warps, p.rows, p.strip>;
    static_assert(cluster_bytes<T, policy> == p.bytes(element_of_type<T>));
    const auto& A = source.A;
    return launch_clusters<T, policy>(source, factor_tall<T>{then.tau}, A.m, std::min(A.m, A.n), 0, info, q);
  }
}

}  // namespace talus::cuda::householder
