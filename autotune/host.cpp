#include "host.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "host/cholesky/kernels.hpp"
#include "host/cholesky/ways.hpp"
#include "host_table.hpp"
#include "measure/plan.hpp"
#include "measure/routines/potrf.hpp"
#include "words.hpp"

namespace talus::tune {

const char* const host_routine = measure::potrf<double>::name;

namespace {

using host::potrf_way;

/// The routine whose ways the host chooses between.
template <class T>
using host_description = measure::potrf<T>;

template <class T>
measurement measure_ways(int n, std::int64_t batch) {
  measure::stopwatch watch(backend::host);
  const std::unique_ptr<measure::problem<T>> p =
      measure::allocate_problem<T>(uplo::lower, backend::host, n, 0, batch);
  const auto seconds_of = [&](potrf_way way) {
    return measure::seconds_per_run(*p, watch, 1, [&](int copy) {
      const auto x = p->operands(copy);
      measure::require_success(host::potrf_at(way, x.uplo, x.A, x.info));
    });
  };
  measurement m;
  m.precision = precision_of<T>;
  m.n = n;
  m.batch = p->batch;
  m.how.family = "lanes";
  const measure::result_check<host_description<T>> check(*p);
  for (const potrf_way way : {potrf_way::one_by_one, potrf_way::lanes}) {
    seconds_of(way);
    const std::string wrong = check.complaint(true);
    if (!wrong.empty()) throw std::runtime_error("n = " + std::to_string(n) + ": " + wrong);
  }
  std::vector<double> lanes, others;
  double spent = 0;
  while (lanes.size() < 5 || (spent < 0.2 && lanes.size() < 200)) {  // short runs more often
    others.push_back(seconds_of(potrf_way::one_by_one));
    lanes.push_back(seconds_of(potrf_way::lanes));
    spent += others.back() + lanes.back();
  }
  m.take_times(lanes, others);
  return m;
}

}  // namespace

bool sweep_host(const host_plan& plan, std::vector<measurement>& all,
                const std::function<void(const measurement&)>& add,
                const std::function<void(const std::string&)>& say, const std::function<bool()>& stop) {
  const int threads = omp_get_max_threads();
  bool complete = true;
  for (const char precision : plan.precisions) {
    with_type(precision, [&](auto zero) {
      using T = decltype(zero);
      for (const int n : plan.sizes) {
        const double bytes = static_cast<double>(sizeof(T)) * n * n;
        for (const std::string& regime : plan.regimes) {
          const std::int64_t wanted = measure::parse_regime(regime).batch_count;
          const std::int64_t batch =
              wanted > 0 ? wanted : measure::fill_of(backend::host, precision, threads, 0).batch_count(bytes);
          const bool known = std::any_of(all.begin(), all.end(), [&](const measurement& m) {
            return m.precision == precision && m.n == n && m.regime == regime;
          });
          if (known) continue;
          if (stop()) {
            complete = false;
            return;
          }
          measurement m = measure_ways<T>(n, batch);
          m.regime = regime;
          add(m);
          all.push_back(m);
          say(formatted("%c n = %3d %-6s lanes %8.3f ms, one by one %8.3f ms: %.2fx", precision, n,
                        regime.c_str(), m.median_ms, m.reference_ms, 1 / m.ratio()));
        }
      }
    });
  }
  return complete;
}

void update_host_table(const std::string& path, const std::vector<measurement>& all,
                       const std::string& machine) {
  std::vector<problem_found> problems;
  std::vector<host_line> lines;
  if (std::ifstream(path)) lines = read_host_table(path, problems);
  if (!problems.empty()) throw std::runtime_error(path + ": " + problems.front().what);
  const std::string precisions = built_precisions;
  for (const char precision : precisions) {
    double factor = 0;
    const bool measured =
        std::any_of(all.begin(), all.end(), [&](const measurement& m) { return m.precision == precision; });
    if (!measured) continue;
    const int n_max = choose_lanes_n_max(all, precision, factor);
    std::string isa;
    with_type(precision,
              [&](auto zero) { isa = host::lane_kernels<host::cholesky_kernels<decltype(zero)>>().isa; });
    const host_line tuned = {precision, isa, n_max,
                             formatted("%.2fx one by one there, on ", factor) + machine};
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const host_line& line) {
      return line.precision == precision && line.isa == isa;
    });
    std::printf("%c, %s: lanes up to n = %d", precision, isa.c_str(), n_max);
    if (same == lines.end()) {
      lines.push_back(tuned);
      std::printf("\n");
    } else {
      std::printf(same->n_max == n_max ? ", as before\n" : " (was %d)\n", same->n_max);
      *same = tuned;
    }
  }
  write_host_table(path, lines);
  std::printf("written: %s (build again to run it)\n", path.c_str());
}

}  // namespace talus::tune
