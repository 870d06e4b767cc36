// talus-bench: how fast is Talus here, how far from the machine's limits, and against which other library?
#include "command.hpp"
#include "measure/program.hpp"

int main(int argc, char** argv) {
  using namespace talus::bench;
  options o;
  CLI::App app{
      "Measures Talus against the machine's limits and against other libraries, all on the same matrices.",
      "talus-bench"};
  declare(app, o);
  return run_program(app, argc, argv, [&](const std::string& command) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->count() > 0) o.given.insert(option->get_name());
    }
    return run_routine(checked(o), command);
  });
}
