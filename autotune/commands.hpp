// What the commands of talus-tune share: the options as the user gave them, where results go, what is said
// while it works.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/machine.hpp"
#include "results.hpp"
#include "table.hpp"

namespace talus::tune {

/// What the user may say, before it is understood.
struct options {
  std::string routine = "potrf", out, results, sizes, budget, backend = "cuda", generic, gpu, candidates,
              plot, picture = "tuned.png", thin;
  std::vector<std::string> precisions, regimes, check, explain, agree, select;
  std::int64_t batch = cuda::any_batch;
  int capability = 0;
  bool fresh = false, space = false;
  std::string from;   // measurements: of equal sizes; or those to price
  std::string table;  // file of the table to price
  std::string records, unmeasured, kernels;
  std::vector<std::string> comment;
  bool price = false, missing = false, is_routine_given = false;
  double bar = 3, most_loss = 8;  // percent
};

/// What was asked for, or else: the generic table; all precisions that this build has; no end of time, 0
/// seconds; a GPU's folder of tables; and the file of measurements that belongs to such a folder.
std::string generic_path(const options& o);
std::string precisions_of(const options& o);
double budget_of(const options& o);
std::string tables_folder(const options& o, const std::string& gpu);
std::string results_path(const options& o, const std::string& out);

/// The folders of plot.py and the generic tables, and of the tables in this build: those that are installed
/// with the program, or else those it was built from.
std::string autotune_folder();
std::string tables_of_build();

/// Before the minutes of measuring: can the results be written at all?
void require_writable(const std::string& option, const std::string& folder);

/// The tables folder's name of a GPU: "NVIDIA H200" is h200.
std::string folder_name(const std::string& gpu);

/// Where a tuning run works.
struct workplace {
  std::string results;
  measure::machine limits;
  std::vector<measurement> known;  // that the file held already
  results_file file;
};

/// Makes the folders, measures the machine, says what it is and opens the file of measurements, to go on with
/// those that it holds unless --fresh was given. They must have been made on the same machine, with the same
/// of the facts that are `fixed`; those of `if_there` may be missing.
workplace prepare(const options& o, const std::string& command, backend where, const std::string& out,
                  const facts& fixed, const facts& if_there = {});

/// Chooses lines from all measurements of a file, puts them into the GPU's table in folder `out` and says
/// what was gained. Returns the exit status.
int write_tuned_table(const options& o, const recorded& measured, const std::string& out);

/// The commands, which return the exit status: measuring on the GPU and on the host, each up to the table;
/// writing the tables that a search build is built with; explaining; and from measurements made before, the
/// table, whether two files agree, a smaller file.
int run_tune(const options& o, const std::string& command);
int run_tune_host(const options& o, const std::string& command);
int run_candidates(const options& o);
int run_explain(const options& o);
int run_select(const options& o);
int run_agree(const options& o);
int run_thin(const options& o);

/// run_check checks tables and the records of their lines. run_comment writes the records into comments.
int run_check(const options& o);
int run_comment(const options& o);

/// Measures the lines of the GPU's tables against the other kernels of this build, or reads such
/// measurements, and prints what each line is worth. Returns the exit status.
int run_price(const options& o, const std::string& command);

/// From here on Ctrl-C does not end the program, but is_interrupted() says that the user wants an end.
void heed_interrupts();
bool is_interrupted();

/// On a terminal, what is being done stands in the line where the next result will.
void show(const std::string& words);
void say(const std::string& words);

}  // namespace talus::tune
