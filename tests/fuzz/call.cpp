// What random calls of all routines have in common: their sizes, operands, faults and checks.
#include "fuzz/call.hpp"

#include "measure/precisions.hpp"

namespace talus::test::fuzz {

template <class E>
void operand<E>::place(entry how, draw& random, bool equal) {
  const std::size_t count = values.size();
  starts.resize(count);
  std::vector<std::size_t> order(count);
  for (std::size_t b = 0; b < count; ++b) order[b] = b;
  for (std::size_t b = count; b > 1 && how != entry::strided; --b)
    std::swap(order[b - 1], order[static_cast<std::size_t>(random.below(static_cast<int>(b)))]);
  const bool stacked = how == entry::strided && random.one_in(6);  // in one tall matrix
  const bool tight = random.one_in(3);
  const int more = tight ? 0 : random.below(5);
  std::int64_t end = guard;
  for (const std::size_t b : order) {
    const auto [m, n] = shape[b];
    if (is_vector_with_step) {
      ld[b] = random.of({1, 1, 2, 3, -1, -2});
    } else {
      ld[b] = std::max(1, m) + (how == entry::vbatched && !tight ? random.below(5) : more);
      if (stacked) ld[b] += m * static_cast<int>(count - 1);
    }
    const std::int64_t length = values[b].empty() ? 0 : std::int64_t{step(b)} * (n - 1) + m;
    if (b == 0)
      stride = stacked ? m : is_written || !equal || random.one_in(2) ? length + random.below(4) : 0;
    starts[b] = how == entry::strided ? guard + static_cast<std::int64_t>(b) * stride : end + random.below(4);
    end = std::max(end, starts[b] + length);
  }
  before.assign(static_cast<std::size_t>(end + guard), unset<E>());
  null.assign(count, false);
  for (std::size_t b = 0; b < count; ++b) {
    for_each_element(b, [&](std::size_t at, std::size_t e, int, int) { before[at] = values[b][e]; });
    null[b] = values[b].empty() && random.one_in(2);
  }
}
template <class E>
void operand<E>::upload() {
  memory = std::make_unique<array<E>>(before);
  std::vector<E*> addresses;
  for (std::size_t b = 0; b < values.size(); ++b)
    addresses.push_back(null[b] ? nullptr : memory->data() + starts[b]);
  pointers = std::make_unique<array<E*>>(addresses);
  lds = std::make_unique<array<int>>(ld);
  base = addresses[0];
}

template <class E>
std::string operand<E>::illegal_writes(const std::vector<bool>& untouched) {
  const std::vector<E> after = memory->download();
  std::vector<char> is_free(after.size(), 0);
  for (std::size_t b = 0; b < values.size() && is_written; ++b) {
    if (untouched[b] || kept[b]) continue;
    for_each_element(
        b, [&](std::size_t at, std::size_t, int i, int j) { is_free[at] = !owned || owned(i, j) ? 1 : 0; });
  }
  for (std::size_t b = 0; b < values.size(); ++b)
    for_each_element(b, [&](std::size_t at, std::size_t e, int, int) { values[b][e] = after[at]; });
  for (std::size_t at = 0; at < after.size(); ++at) {
    if (is_free[at] || std::memcmp(static_cast<const void*>(&after[at]), &before[at], sizeof(E)) == 0)
      continue;
    std::string where = name + ": element " + std::to_string(at) + " of its memory was written";
    for (std::size_t b = 0; b < values.size(); ++b)
      where +=
          at == static_cast<std::size_t>(starts[b]) ? ", where matrix " + std::to_string(b) + " starts" : "";
    return where;
  }
  return "";
}

template struct operand<int>;
#define TALUS_OPERAND(T) template struct operand<T>;
TALUS_FOR_ALL_TYPES(TALUS_OPERAND)
#undef TALUS_OPERAND

void any_trial::run(const announcement& announce) {
  prepare();
  const std::string described = description();
  announce(described);
  try {
    execute();
  } catch (const wrong_call& e) {
    throw wrong_call(std::string(e.what()) + "\n  " + described);
  }
}

void any_trial::prepare() {
  const int limits[] = {9, 17, 34, random_.one_in(3) ? 300 : 80};
  call_.largest = 1 + random_.below(limits[random_.below(4)]);
  call_.may_fail = random_.one_in(2);
  const bool equal = how_ == entry::strided && random_.one_in(6);  // all matrices are one
  count_ = static_cast<std::size_t>(random_.up_to(call_.largest > 40 ? 4 : random_.one_in(6) ? 80 : 12));
  const std::size_t items = std::max<std::size_t>(1, count_);  // an empty batch touches nothing of its first
  for (any_operand* o : operands_) o->resize(items);
  call_.info.assign(items, 0);
  untouched_.assign(items, count_ == 0);
  std::vector<int> sizes;
  const unsigned seed = random_.seed();
  for (std::size_t b = 0; b < items; ++b) {
    if (b == 0 || how_ == entry::vbatched) sizes = call_.sizes();
    for (std::size_t e = 0; e < extents_.size(); ++e) extents_[e]->each.push_back(sizes[e]);
    draw own(seed + (equal ? 0 : b));
    call_.prepare(b, own);
  }
  for (any_operand* o : operands_) o->place(how_, random_, equal);
  bool all_bounds = true;
  for (size_list* e : extents_) {
    const int most = count_ == 0 ? 0 : *std::max_element(e->each.begin(), e->each.end());
    e->bound = random_.one_in(3) ? -1 : most + (random_.one_in(2) ? 0 : random_.below(40));
    all_bounds = all_bounds && e->bound >= 0;
  }
  has_scratch_ = (how_ != entry::vbatched || all_bounds) && random_.one_in(2);
  has_info_ = !info_may_be_null_ || !random_.one_in(3);
  const auto upload = [&] {
    for (size_list* e : extents_) e->resident = std::make_unique<array<int>>(e->each);
    for (any_operand* o : operands_) o->upload();
  };
  upload();  // list() reads addresses
  arguments_ = list();
  arguments_.push_back({argument::info});
  arguments_.push_back({argument::count});
  for (size_list* e : extents_) {
    if (how_ == entry::vbatched) arguments_.push_back({argument::bound, nullptr, e});
  }
  arguments_.push_back({argument::queue});
  if (random_.one_in(4)) choose_fault();
  upload();
}

/// Makes one argument of the call illegal, or in a _vbatched call one argument of one matrix.
void any_trial::choose_fault() {
  which_ = static_cast<std::size_t>(random_.below(static_cast<int>(arguments_.size())));
  const argument& what = arguments_[which_];
  if (how_ == entry::vbatched && count_ > 0 && random_.one_in(2)) {
    const auto b = static_cast<std::size_t>(random_.below(static_cast<int>(count_)));
    if (!choose_fault_of_matrix(b, what)) return;
    fault_ = what.kind == argument::bound ? fault::bound : fault::matrix;
    for (std::size_t i = 0; i < count_; ++i) {
      if (fault_ == fault::matrix ? i != b : what.size->each[i] <= what.size->bound) continue;
      call_.info[i] = -static_cast<int>(which_ + 1);
      untouched_[i] = true;
    }
  } else if (may_be_illegal(what)) {
    fault_ = fault::argument;
    untouched_.assign(untouched_.size(), true);
  }
}

bool any_trial::choose_fault_of_matrix(std::size_t b, const argument& what) {
  switch (what.kind) {
    case argument::extent:
      what.size->each[b] = -1;
      return true;
    case argument::ld:
      what.of->ld[b] = std::max(0, what.of->least_ld(b) - 1);
      return true;
    case argument::pointer:
      if (what.of->is_empty(b)) return false;
      what.of->forget_pointer(b);
      return true;
    case argument::bound:
      if (what.size->each[b] == 0) return false;
      what.size->bound = what.size->each[b] - 1;
      return true;
    default:
      return false;
  }
}

bool any_trial::may_be_illegal(const argument& what) const {
  bool all_have_elements = true;
  for (std::size_t b = 0; what.of && b < untouched_.size(); ++b)
    all_have_elements = all_have_elements && !what.of->is_empty(b);
  switch (what.kind) {
    case argument::other:
      return false;
    case argument::pointer:
      return count_ > 0 && all_have_elements;
    case argument::stride:
      return count_ > 1 && all_have_elements;
    case argument::extent:
    case argument::ld:
      return how_ != entry::vbatched || count_ > 0;
    case argument::info:
      return count_ > 0 && !info_may_be_null_;
    default:
      return true;
  }
}

void any_trial::execute() {
  talus::queue q = test_queue();
  std::unique_ptr<guarded_work> work;
  if (has_scratch_) {
    work = std::make_unique<guarded_work>(work_bytes());
    q.work = work->memory.data();
    q.work_bytes = work->bytes;
  }
  const info_array info(count());
  const bool is_refused = fault_ == fault::argument;
  const int status = enter(has_info_ ? info.data() : nullptr, q, is_refused ? which_ : none),
            expected = is_refused ? -static_cast<int>(which_ + 1) : 0;
  finish();
  if (status != expected)
    throw wrong_call("status " + std::to_string(status) + ", expected " + std::to_string(expected));
  for (any_operand* o : operands_) {
    const std::string complaint = o->illegal_writes(untouched_);
    if (!complaint.empty()) throw wrong_call(complaint);
  }
  if (work && !work->guard_untouched()) throw wrong_call("the memory behind the scratch was written");
  check(info.download());
}

void any_trial::check(const std::vector<int>& info) {
  const bool is_written = has_info_ && fault_ != fault::argument;
  for (std::size_t b = 0; b < count_; ++b) {
    const std::string matrix = "matrix " + std::to_string(b) + " of " + std::to_string(count_) + ": ";
    const int expected = is_written ? call_.info[b] : -777;
    if (info[b] != expected)
      throw wrong_call(matrix + "info " + std::to_string(info[b]) + ", expected " + std::to_string(expected));
    if (untouched_[b]) continue;
    const double ratio = call_.ratio(b);
    if (!(ratio < threshold)) throw wrong_call(matrix + "ratio " + std::to_string(ratio));
  }
}

std::string any_trial::description() {
  const char* const names[] = {"_batched", "_strided_batched", "_vbatched"};
  std::string text = std::string(names[static_cast<int>(how_)]) + " (batch_count " + std::to_string(count_);
  for (const argument& a : arguments_) {
    if (a.kind == argument::extent) {
      text += ", " + a.size->name + numbers(a.size->each);
      if (how_ == entry::vbatched) text += " (bound " + std::to_string(a.size->bound) + ")";
    } else if (a.kind == argument::ld) {
      text += ", " + a.of->name + " ld" + numbers(a.of->ld);
    } else if (a.kind == argument::stride) {
      text += ", " + a.of->name + " stride " + std::to_string(a.of->stride);
    } else if (!a.value.empty()) {
      text += ", " + a.value;
    }
  }
  text += std::string(has_scratch_ ? ", scratch" : "") + (has_info_ ? "" : ", info null");
  if (fault_ != fault::none)
    text += std::string(", argument ") + std::to_string(which_ + 1) +
            (fault_ == fault::argument ? " is illegal" : " is illegal for some matrices");
  return text + ")";
}
std::string any_trial::numbers(const std::vector<int>& all) const {
  std::string text;
  for (const int each : all) {
    text += " " + std::to_string(each);
    if (how_ != entry::vbatched) break;
  }
  return text;
}

std::map<std::pair<std::string, char>, random_call>& random_calls() {
  static std::map<std::pair<std::string, char>, random_call> all;
  return all;
}

}  // namespace talus::test::fuzz
