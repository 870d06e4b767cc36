// talus-tune: measures every kernel of the search space on this machine, and writes the table that chooses
// among them.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "commands.hpp"
#include "host.hpp"
#include "measure/program.hpp"
#include "space.hpp"
#include "words.hpp"

namespace talus::tune {
namespace {

namespace fs = std::filesystem;
using measure::fine, measure::usage_error, measure::wrong;

const char* const examples = R"(Examples:
  talus-tune --precision d,s --out autotune/tables/h200 --budget 20m
      tunes potrf on this GPU; run it again after an interruption and it goes on
  talus-tune --routine potrf_vbatched --out autotune/tables/h200
      divides different sizes into classes, each with the kernel that potrf's measurements say is the fastest
  talus-tune --check autotune/tables/*/potrf.inc
      is a table in order? No GPU needed
  talus-tune --explain potrf d 96 --batch 3000
      which line of the tables in this build serves this size here, and why
  talus-tune --select autotune/results/h200/potrf.csv --out autotune/tables/h200
      writes the table again from what was measured; no GPU needed
  talus-tune --agree first.csv second.csv
      do two sweeps choose the same kernels, within the noise?
  talus-tune --plot autotune/results/h200/potrf.csv --picture potrf.png
  talus-tune --price --routine potrf,getrf --results build/price
      measures on this GPU whether each line of its tables is worth its kernel
  talus-tune --price --from build/price --out build/pruned
      the same from those measurements, without a GPU; writes the tables without the lines that are not
  talus-tune --backend host --out autotune/tables/host
      up to which n the CPU works on one matrix per SIMD lane

A build has the kernels of its tables only; './run tune' first builds all candidates.

Exit codes: 0 fine; 1 something measured or checked is wrong; 2 bad arguments; 3 no such backend here;
4 interrupted, or on the host out of time: run it again to go on; 5 output could not be written.)";

bool has_digits_alone(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Takes 9.0 and 90, and makes 90 of both: CUDA 12 serves no GPU below 5.0, so 5 is a mistake.
std::string whole_capability(std::string& text) {
  std::string digits = text;
  if (digits.size() > 2 && digits[digits.size() - 2] == '.') digits.erase(digits.size() - 2, 1);
  const bool is_capability = has_digits_alone(digits) && ((digits.size() == 2 && digits[0] >= '5') ||
                                                          (digits.size() == 3 && digits[0] == '1'));
  if (!is_capability) return "'" + text + "' is no compute capability, which are written 9.0 or 90";
  text = digits;
  return "";
}

std::string whole_batch(const std::string& text) {
  constexpr std::size_t most_digits = 18;  // of 64 bits
  const bool is_whole = has_digits_alone(text) && text[0] != '0' && text.size() <= most_digits;
  return is_whole ? "" : "'" + text + "' is no number of matrices";
}

void declare(measure::command_line& line, options& o) {
  line.footer(examples);
  line.help_text("Print this help");
  const auto add = [&](const char* name, auto& value, const char* type, const std::string& words) {
    return line.add(name, value, words).of_type(type);
  };
  std::vector<std::string> names;
  for (const routine& r : routines()) names.push_back(r.name);
  add("--routine", o.routine, "TEXT", "What to tune: " + joined(names, ", ")).shows_default();
  add("--precision", o.precisions, "TEXT", "Any of s, d, c, z; all that are in this build if not given")
      .between_commas()
      .one_of({"s", "d", "c", "z"});
  add("--out", o.out, "DIR", "Folder of the table that is written; autotune/tables/<gpu> if not given");
  add("--results", o.results, "FILE",
      "File of all measurements; <routine>.csv in results/<gpu> beside tables/<gpu> if not given. --price: a "
      "folder where several routines are priced; autotune/results/<gpu>/price if not given");
  add("--budget", o.budget, "TIME",
      "Time for the measurements, as 90s, 20m or 1h; on a GPU coarse to fine until it ends");
  add("--sizes", o.sizes, "TEXT",
      "Sizes to measure, as A:B:S or a list, instead of some 120 from 2 to 1536, as far as there is a "
      "choice; "
      "where matrices differ: largest sizes, instead of the bounds of the classes and some beyond");
  add("--regime", o.regimes, "TEXT",
      "Batches to measure: 'fill' about 1 GB of matrices (0.5 GB in single), b<N> N of them; default "
      "fill,b3000; on the host fill and 16 per thread; where matrices differ: b100,b500,b3000,b20000,b100000")
      .between_commas();
  add("--backend", o.backend, "TEXT", "What to tune: the GPU's kernels or the CPU's threshold")
      .one_of({"cuda", "host"})
      .shows_default();
  line.add_flag("--fresh", o.fresh, "Start over, even if there are measurements to go on with");
  add("--generic", o.generic, "FILE", "The generic table, which tuned ones are compared with");

  add("--check", o.check, "FILE",
      "Check tables and explain each problem. Each line of a GPU's table needs a record: a measurement of "
      "its kernel at sizes in its box");
  add("--records", o.records, "PATH",
      "--check, --comment, --price --missing: file or folder of the records; results/<gpu> beside "
      "tables/<gpu> if not given");
  add("--unmeasured", o.unmeasured, "FILE",
      "--check: a list of lines that may lack a record, such as autotune/unmeasured.txt. A listed line that "
      "has a record is a problem");
  add("--comment", o.comment, "FILE",
      "In these tables, write the price of each line into its comment. For lines without a price, replace "
      "'by hand' and 'not measured' by the largest measured point");
  add("--explain", o.explain, "ROUTINE PRECISION N", "Which line serves this size, and why").takes(3);
  add("--batch", o.batch, "INT", "--explain: matrices in the batch; any if not given").passes(whole_batch);
  add("--gpu", o.gpu, "TEXT",
      "--explain, --candidates: for this GPU instead of the one that is here, as \"NVIDIA H200\"");
  add("--select", o.select, "FILE", "Write the table from measurements made before, in one run or several");
  add("--thin", o.thin, "FILE", "Leave in a file of measurements what choosing from it needs")
      .existing_file();
  add("--agree", o.agree, "FILE FILE", "Compare the choices of two sweeps").takes(2);
  add("--plot", o.plot, "FILE",
      "Draw measurements: the best kernels against the generic table's; where matrices differ, classes "
      "against one launch. autotune/plot.py --parameters draws what each parameter matters");
  add("--picture", o.picture, "FILE", "--plot: the picture to write").shows_default();
  line.add_flag("--space", o.space, "Print the search space, each bound with its reason");
  add("--candidates", o.candidates, "DIR",
      "Write the tables that a search build is built with to this folder");
  add("--from", o.from, "FILE",
      "Where matrices differ: the measurements of equal sizes, of which classes are made; those beside the "
      "routine's own if not given. --price: a file of its measurements, or their folder; nothing is "
      "measured");
  line.add_flag("--price", o.price,
                "Measure each line of the GPU's tables against the other kernels of this build; print which "
                "lines are worth their kernels. Of all routines of equal sizes, or --routine's, as a list");
  line.add_flag(
      "--missing", o.missing,
      "--price: measure only lines without a record (--records), also at larger matrices than otherwise. "
      "--results must name another folder than that of earlier prices");
  add("--table", o.table, "FILE",
      "--price: the GPU's table; tables/<gpu>/<routine>.inc of this source if not given");
  add("--kernels", o.kernels, "FILE",
      "--price: a list of kernels by bench/kernels.py, such as bench/kernels/sm_90.csv; also print the "
      "number and the bytes of the kernels that each line adds")
      .existing_file();
  add("--bar", o.bar, "PERCENT", "--price: what a kernel must gain in the mean of its lines' points")
      .within(0.0, 1000.0)
      .shows_default();
  add("--most-loss", o.most_loss, "PERCENT", "--price: what no point may lose without a kernel")
      .within(0.0, 1000.0)
      .shows_default();
  add("--capability", o.capability, "INT",
      "--candidates, --explain: of the GPU, as 9.0 or 90; of the one that is here if not given")
      .rewritten_by(whole_capability);
}

int run_plot(const options& o) {
  const std::string script = autotune_folder() + "/plot.py";
  if (!fs::exists(o.plot)) throw usage_error("--plot: cannot read '" + o.plot + "'");
  const char* arguments[] = {"python3", script.c_str(), o.plot.c_str(), "-o", o.picture.c_str(), nullptr};
  std::fflush(stdout);
  execvp("python3", const_cast<char* const*>(arguments));
  throw std::runtime_error("--plot: python3 could not be started");
}

int run(const options& o, const std::string& command) {
  if (!o.check.empty()) return run_check(o);
  if (!o.comment.empty()) return run_comment(o);
  if (!o.explain.empty()) return run_explain(o);
  if (!o.plot.empty()) return run_plot(o);
  if (o.price) return run_price(o, command);
  const routine& of = routine_named(o.routine);
  if (o.space) {
    std::printf("%s", explain_space(of).c_str());
    return fine;
  }
  if (!of.is_swept)
    throw usage_error("--routine: " + o.routine + " is not swept: --price measures the lines of its tables");
  if (!o.candidates.empty()) return run_candidates(o);
  if (!o.thin.empty()) return run_thin(o);
  if (!o.select.empty()) return run_select(o);
  if (!o.agree.empty()) return run_agree(o);
  if (o.backend == "host") return run_tune_host(o, command);
  return run_tune(o, command);
}

}  // namespace
}  // namespace talus::tune

int main(int argc, char** argv) {
  using namespace talus::tune;
  options o;
  talus::measure::command_line line{
      "Chooses the fastest kernel for each size by measuring, once per GPU model.", "talus-tune"};
  declare(line, o);
  return talus::measure::run_program(line, argc, argv, [&](const std::string& command) {
    o.is_routine_given = line.given().count("--routine") > 0;
    return run(o, command);
  });
}
