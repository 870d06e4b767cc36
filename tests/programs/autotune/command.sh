#!/usr/bin/env bash
# talus-tune as a user meets it, without a GPU: exit statuses, messages, files.  command.sh TALUS-TUNE SOURCE-FOLDER
set -uo pipefail
tune=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect STATUS PATTERN ARGUMENT...: the exit status, and a pattern that the output must hold
expect() {
  local status=$1 pattern=$2 output got
  shift 2
  output=$("$tune" "$@" 2>&1)
  got=$?
  if [ "$got" != "$status" ] || ! grep -qE -- "$pattern" <<<"$output"; then
    printf 'talus-tune %s\n  exit status %s, expected %s; expected in the output: %s\n%s\n' "$*" "$got" "$status" \
      "$pattern" "$output"
    failures=$((failures + 1))
  fi
}

# expect_data ARGUMENT...: expects a table to be in order, except that lines may lack records
expect_data() {
  "$tune" "$@" 2>&1 | sed -n 's/.*no record of: //p' >"$work/lines.txt"
  expect 0 'in order' "$@" --unmeasured "$work/lines.txt"
}

p=d  # or another precision, where the build has no double
for p in d s c z; do "$tune" --explain potrf $p 1 >/dev/null 2>&1 && break; done

recorded=$source/tests/programs/autotune/recorded.csv generic=(--generic "$source/tests/programs/autotune/generic.inc")
expect 0 'Exit codes' --help
expect 0 'deferred_check' --space
expect 2 'run with --help|Run with --help' --no-such-option
expect 2 "'getrs' has no tables" --routine getrs
expect 2 'not in \{' --precision q
expect 2 'not in \{' --backend cloud

expect 2 "'5x' is no time" --budget 5x
expect 2 "'4x'" --sizes 4x
expect 2 "'full' is neither" --regime full
expect 1 'cannot be read' --generic "$work/none.inc"

# tables
unmeasured=(--unmeasured "$source/autotune/unmeasured.txt")
expect 0 'in order' --check "$source"/autotune/tables/*/potrf.inc "${unmeasured[@]}"
mkdir -p "$work/h200" "$work/other"
printf 'TALUS_TABLE(h200, "NVIDIA H200", 90)\nTALUS_LINE(d, upto(32), any_batch, warp{.lanes = 8, .rows = 4, .tbc = 8})\n' >"$work/h200/potrf.inc"
expect 1 'potrf.inc:2: the last line for precision d does not cover' --check "$work/h200/potrf.inc"
cp "$source/autotune/tables/generic/potrf.inc" "$work/other/potrf.inc"
expect 1 "lies in folder 'other'" --check "$work/other/potrf.inc"
expect 1 'cannot be read' --check "$work/none/potrf.inc"

expect 0 'potrf_vbatched.inc: in order' --check "$source"/autotune/tables/*/potrf_vbatched.inc "${unmeasured[@]}"

# the records of a table's lines
for table in "$source"/autotune/tables/h200/*.inc; do
  expect 0 'in order, lines measured at [0-9a-f]{7,12}|repeated from|not measured yet' --check "$table" "${unmeasured[@]}"
done
mkdir -p "$work/made/tables/h200" "$work/made/results/h200"
made=$work/made/tables/h200/potrf.inc
cat >"$made" <<'TXT'
TALUS_TABLE(h200, "NVIDIA H200", 90)
TALUS_LINE(d, upto(16),         any_batch, warp{.lanes = 8, .rows = 2, .tbc = 8})  // by hand
TALUS_LINE(d, upto(32),         any_batch, warp{.lanes = 16, .rows = 2, .tbc = 4})  // by hand: why
TALUS_LINE(d, upto(any_extent), any_batch, blocked{.nb = 64, .groups = 2, .tiles = 2})
TXT
cat >"$work/made/results/h200/potrf.csv" <<'TXT'
# GPU: NVIDIA H200
# commit: 0123456789ab
precision,regime,n,batch,kernel,result,median_ms,min_ms,max_ms,reference_ms,why
d,b3000,16,3000,warp lanes=8 rows=2 tbc=8,ok,1,1,1,1,
d,b3000,16,3000,warp lanes=16 rows=2 tbc=4,ok,1,1,1,1,
d,b3000,40,3000,warp lanes=16 rows=2 tbc=4,ok,1,1,1,1,
d,b3000,24,3000,warp lanes=16 rows=2 tbc=4,slow,1,1,1,1,
TXT
# Line 3 has no record: the table does not select it for n = 16 and n = 40, and at n = 24 it was only `slow`.
expect 1 'potrf.inc:3: no record of: h200/potrf d upto\(32\), any_batch: warp lanes=16 rows=2 tbc=4$' "${generic[@]}" --check "$made"
[ "$("$tune" "${generic[@]}" --check "$made" | grep -c 'no record')" = 2 ] || { echo "other lines than two lack a record"; failures=$((failures + 1)); }
"$tune" "${generic[@]}" --check "$made" | sed -n 's/.*no record of: //p' >"$work/list.txt"
expect 0 'in order, lines measured at 0123456789ab: 1, not measured yet: 2' "${generic[@]}" --check "$made" --unmeasured "$work/list.txt"
echo 'h200/potrf d upto(16), any_batch: warp lanes=8 rows=2 tbc=8' >>"$work/list.txt"
expect 1 'lists a line that has a record or is not in the table: h200/potrf d upto\(16\)' "${generic[@]}" --check "$made" --unmeasured "$work/list.txt"
expect 2 "--unmeasured: cannot read '.*none.txt'" --check "$made" --unmeasured "$work/none.txt"
expect 1 'there are no records at' --check "$made" --records "$work/none"
sed -i '/^# commit/d' "$work/made/results/h200/potrf.csv"
expect 1 'potrf.inc:2: no record' "${generic[@]}" --check "$made"
sed -i 's/^# GPU.*/&\n# commit: 0123456789ab/' "$work/made/results/h200/potrf.csv"
expect 0 'written' "${generic[@]}" --comment "$made"
for line in 'upto(16), .*// n = 16, 3000 matrices: 1 ms (1 measurement)$' 'upto(32), .*// by hand: why$' \
  'upto(any_extent), .*// not measured$'; do
  grep -q "$line" "$made" || { echo "no line '$line':"; cat "$made"; failures=$((failures + 1)); }
done
expect 2 'is the generic table' --comment "$source/autotune/tables/generic/potrf.inc"

# explaining
expect 0 'table generic' --explain potrf $p 96 --gpu 'No such GPU'
expect 2 "'getrs' has no tables" --explain getrs $p 96
expect 2 "precision 'q'" --explain potrf q 96
expect 2 "'x'" --explain potrf $p x
expect 2 "--batch: '0' is no number of matrices" --explain potrf $p 96 --batch 0
expect 2 "--batch: '-5' is no number of matrices" --explain potrf $p 96 --batch -5

# choosing from what was measured before
expect 0 'written' "${generic[@]}" --select "$recorded" --out "$work/tables/h200"
expect 0 'in order' "${generic[@]}" --check "$work/tables/h200/potrf.inc" --records "$recorded"
sed -i '0,/\.blocks = [0-9]/s//.blocks = 2/' "$work/tables/h200/potrf.inc"
expect 0 '^- d, n_max [0-9]+, batch_max [a-z0-9_]+: warp .*blocks=2' "${generic[@]}" --select "$recorded" --out "$work/tables/h200"
expect 0 'written' "${generic[@]}" --select "$recorded" --out "$work/tables/h200"
expect 0 '100.0 % of' "${generic[@]}" --agree "$recorded" "$recorded"
expect 2 '--out DIR' --select "$recorded"
expect 2 "--select: cannot read '.*none.csv'" --select "$work/none.csv" --out "$work"
expect 2 "--select: cannot read '.*none.csv'" --select "$recorded" "$work/none.csv" --out "$work"
expect 2 "--select: cannot read '.*none.csv'" --routine potrf_vbatched --select "$work/none.csv" --out "$work"
expect 2 "--agree: cannot read '.*none.csv'" --agree "$recorded" "$work/none.csv"
expect 2 '--out: cannot write' --select "$recorded" --out /proc/talus
sed 's/ms,/ns,/' "$recorded" >"$work/bad.csv"
expect 1 'bad.csv:[0-9]+: is no measurement' --agree "$work/bad.csv" "$recorded"
# A table that somebody broke is not written over.
expect 1 'potrf.inc:2' --select "$recorded" --out "$work/h200"

# thinned, a file gives the same table, and keeps less; it is thinned once more to itself
cp "$recorded" "$work/thin.csv"
expect 0 'measurements left in' "${generic[@]}" --thin "$work/thin.csv"
expect 0 'written' "${generic[@]}" --select "$work/thin.csv" --out "$work/thinned"
cmp "$work/tables/h200/potrf.inc" "$work/thinned/potrf.inc" || failures=$((failures + 1))
[ "$(wc -l <"$work/thin.csv")" -lt "$(wc -l <"$recorded")" ] || { echo "nothing was left out"; failures=$((failures + 1)); }
cp "$work/thin.csv" "$work/thinner.csv"
expect 0 'measurements left in' "${generic[@]}" --thin "$work/thinner.csv"
cmp "$work/thin.csv" "$work/thinner.csv" || failures=$((failures + 1))

# the search build
expect 0 'candidates for compute capability 8.0' --candidates "$work/candidates" --capability 80
grep -q 'TALUS_LINE(d' "$work/candidates/generic/potrf.inc" || { echo "no candidates written"; failures=$((failures + 1)); }
expect 0 'candidates for compute capability 9.0' --candidates "$work/candidates" --capability 9.0
# Routines that come later have what serves all, those before what there is: posv calls potrf.
[ "$(grep -c '^TALUS_LINE(d' "$work/candidates/generic/posv.inc")" = 1 ] || { echo "more of posv than serves all"; failures=$((failures + 1)); }
expect 0 'candidates' --routine posv --precision d --candidates "$work/solving"
[ "$(grep -c '^TALUS_LINE' "$work/solving/generic/potrf.inc")" -gt 5 ] || { echo "posv without potrf's table"; failures=$((failures + 1)); }
grep -q '^TALUS_LINE(s' "$work/solving/generic/posv.inc" && { echo "a precision that nobody asked for"; failures=$((failures + 1)); }
expect 0 'candidates for compute capability 12.0' --candidates "$work/candidates" --capability 120
for capability in 5 9 900 9.05 -90 0 nine 90x ''; do
  expect 2 "--capability: '$capability' is no compute capability, which are written 9.0 or 90" \
    --candidates "$work/candidates" --capability "$capability"
done
expect 2 '--candidates: cannot write' --candidates /proc/talus

# what lines are worth, from measurements
mkdir -p "$work/priced/h200" "$work/prices"
cat >"$work/priced/h200/potrf.inc" <<'TXT'
// A small table.
TALUS_TABLE(h200, "NVIDIA H200", 90)
TALUS_LINE(d, upto(16), any_batch, warp{.lanes = 8, .rows = 2, .tbc = 8})
TALUS_LINE(d, upto(32), any_batch, warp{.lanes = 16, .rows = 2, .tbc = 4})
TALUS_LINE(d, upto(64), any_batch, smem{.tiles = 4})
TALUS_LINE(d, upto(any_extent), any_batch, blocked{.nb = 64, .groups = 1, .tiles = 1})
TXT
cat >"$work/prices/potrf.csv" <<'TXT'
# GPU: NVIDIA H200
# capability: 90
# routine: potrf
# table d: 0
precision,regime,n,batch,kernel,result,median_ms,min_ms,max_ms,reference_ms,why
d,b3000,16,3000,warp lanes=8 rows=2 tbc=8,ok,1,1,1,1,
d,b3000,16,3000,warp lanes=16 rows=2 tbc=4,ok,1.01,1,1,1,
d,b3000,16,3000,smem tiles=4,slow,2,2,2,1,
d,b3000,32,3000,warp lanes=16 rows=2 tbc=4,ok,1,1,1,1,
d,b3000,32,3000,smem tiles=4,ok,1.3,1,1,1,
d,b3000,64,3000,smem tiles=4,ok,1,1,1,1,
TXT
price=(--price "${generic[@]}" --table "$work/priced/h200/potrf.inc" --from "$work/prices")
expect 0 '^d 16 .* 1.010 +1.010 +1.010 +1 +2  drop$' "${price[@]}"
expect 0 '^d 32 .* 1.604 +1.300 +1.980 +2 +2  keep$' "${price[@]}"
expect 0 '^d 64 .* keep, not priced: no other kernel' "${price[@]}"
expect 0 '^d any_extent .* 0  keep, not priced: the generic table has its kernel' "${price[@]}"
expect 0 'potrf.inc has changed since it was measured' "${price[@]}"
expect 0 '3 kept, 1 dropped, 0 with another kernel; .* 6 before, 4 after' "${price[@]}"
expect 0 '4 kept, 0 dropped' "${price[@]}" --bar 0.5
expect 0 '4 kept, 0 dropped' "${price[@]}" --most-loss 0.5
expect 0 'written' "${price[@]}" --out "$work/pruned/h200"
expect_data "${generic[@]}" --check "$work/pruned/h200/potrf.inc" --records "$work/prices"
grep -q 'upto(32), .*// price 1.60 (1.30 to 1.98, 2 points)$' "$work/pruned/h200/potrf.inc" ||
  { echo "no price in the pruned table"; cat "$work/pruned/h200/potrf.inc"; failures=$((failures + 1)); }
expect 2 "--from: cannot read '.*none.csv'" --price --from "$work/none.csv"
expect 1 'bad.csv:[0-9]+: is no measurement' --price --from "$work/bad.csv"
expect 2 'does not say of which routine' --price --from "$recorded"
expect 2 "'getrs' has no tables" --price --routine potrf,getrs
expect 2 "cannot read '.*posv.csv'" --price --routine posv --from "$work/prices"
expect 2 "'full' is neither" --price --regime full
expect 2 '--bar' --price --bar -1
expect 2 '--out: cannot write' "${price[@]}" --out /proc/talus

# what the classes of a table for mixed sizes are worth
cat >"$work/priced/h200/potrf_vbatched.inc" <<'TXT'
// A small table.
TALUS_TABLE(h200, "NVIDIA H200", 90)
TALUS_MIXED_LINE(d, upto(32), any_batch, queued, warp{.lanes = 8, .rows = 4, .tbc = 8})
TALUS_MIXED_LINE(d, upto(64), any_batch, queued, smem{.tiles = 5})
TALUS_MIXED_LINE(d, upto(any_extent), any_batch, greedy, blocked{.nb = 64, .groups = 1, .tiles = 1})
TXT
cat >"$work/prices/potrf_vbatched.csv" <<'TXT'
# GPU: NVIDIA H200
# capability: 90
# routine: potrf_vbatched
# table d: 0
precision,regime,n,batch,kernel,result,median_ms,min_ms,max_ms,reference_ms,why
d,b20000,32,20000,64:smem/tiles:5,ok,1.02,1,1,1,
d,b20000,64,20000,64,ok,1,1,1,1,
TXT
mixed=(--price --table "$work/priced/h200/potrf_vbatched.inc" --routine potrf_vbatched
  --from "$work/prices")
expect 0 '^d 32 .* 1.010 +1.000 +1.020 +2 +2  drop$' "${mixed[@]}"
expect 0 '2 kept, 1 dropped, 0 with another kernel; .* 2 before, 0 after' "${mixed[@]}"
expect 0 'written' "${mixed[@]}" --out "$work/pruned/h200"
expect_data --check "$work/pruned/h200/potrf_vbatched.inc" --records "$work/prices"
if ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
  expect 3 'potrf_vbatched: [1-9][0-9]* calls, [1-9][0-9]* variants' --price --routine potrf_vbatched --precision $p \
    --gpu 'NVIDIA H200'
  expect 3 'potrf: [1-9][0-9]* points' --price --routine potrf,getrf --precision $p --gpu 'NVIDIA H200'
  expect 3 'no usable GPU' --price
fi

# classes of sizes: made of potrf's measurements, chosen from calls, explained
expect 0 'potrf_vbatched, smem' --routine potrf_vbatched --space
expect 0 'candidates for compute capability 9.0' --routine potrf_vbatched --candidates "$work/classes" --capability 90 \
  --from "$source/autotune/results/h200/potrf.csv"
grep -q 'TALUS_MIXED_LINE(d, upto(any_extent), any_batch, lazy' "$work/classes/generic/potrf_vbatched.inc" ||
  { echo "no classes written"; failures=$((failures + 1)); }
expect 0 'candidates' --routine potrf_vbatched --candidates "$work/classes" --gpu 'NVIDIA H200' \
  --out "$source/autotune/tables/h200"
expect 2 "none.csv' is not there: classes are made of" --routine potrf_vbatched --candidates "$work/classes" \
  --from "$work/none.csv"
cat >"$work/calls.csv" <<'TXT'
# GPU: NVIDIA H200
# capability: 90
# commit: 0123456789ab
# reference: none
# classes d: 16 queued warp lanes=16 rows=1 tbc=4; 64 queued smem tiles=4; any_extent greedy blocked nb=64 groups=1 tiles=2
# alone d: 16 queued warp lanes=16 rows=1 tbc=4; 64 queued smem tiles=4
# batches d: 100
# maxima d: 16 64 100
# bytes d: 1000000000
precision,regime,n,batch,kernel,result,median_ms,min_ms,max_ms,reference_ms,why
d,b100,16,100,direct 16,ok,1,1,1,1,
d,b100,16,100,ordered 16,ok,1.4,1.4,1.4,1,
d,b100,16,100,direct 64,ok,2,2,2,1,
d,b100,64,100,direct 64,ok,2,2,2,3,
d,b100,64,100,ordered 64,ok,1.5,1.5,1.5,3,
d,b100,64,100,16+64,ok,3,3,3,3,
d,b100,100,100,16+64+any_extent,ok,5,5,5,6,
d,b100,100,100,64+any_extent,ok,5,5,5,6,
d,b100,100,100,any_extent,ok,6,6,6,6,
d,b100,100,100,any_extent again,ok,6,6,6,6,
d,b100,100,100,64+any_extent again,ok,5,5,5,6,
TXT
expect 0 'd +3 +4 . 1.34x, 1.00x with 100 matrices to n = 16' --routine potrf_vbatched --select "$work/calls.csv" \
  --out "$work/tables/h200"
expect 0 'in order' --check "$work/tables/h200/potrf_vbatched.inc" --records "$work/calls.csv"
for line in 'upto(16), *any_batch, direct, *warp.*// 100 to n = 16: 1 ms, 1.00x' \
  'upto(64), *any_batch, ordered, *smem.*// 100 to n = 64: 1.5 ms, 2.00x' \
  'upto(64), *any_batch, queued, *smem.*// of larger calls' \
  'upto(any_extent), any_batch, greedy, *blocked.*// 100 to n = 100: 5 ms, 1.20x'; do
  grep -q "d, *$line" "$work/tables/h200/potrf_vbatched.inc" ||
    { echo "no line '$line':"; cat "$work/tables/h200/potrf_vbatched.inc"; failures=$((failures + 1)); }
done
sed '/,64,100,ordered 64,/d' "$work/calls.csv" >"$work/half.csv"
expect 1 'the sweep was not finished' --routine potrf_vbatched --select "$work/half.csv" --out "$work/tables/h200"
expect 2 'one file at a time' --routine potrf_vbatched --select "$work/calls.csv" "$work/calls.csv" --out "$work"
expect 2 'sweeps of equal sizes' --routine potrf_vbatched --agree "$work/calls.csv" "$work/calls.csv"
expect 0 'a call whose largest n is here has' --explain potrf_vbatched $p 96 --gpu 'No such GPU'

expect 2 '--plot: cannot read' --plot "$work/none.csv"
if ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
  expect 3 'no usable GPU' --precision $p --out "$work/tables/x"
  expect 3 'no usable GPU' --routine potrf_vbatched --precision $p --out "$work/tables/x"
  [ ! -e "$work/tables/x" ] || { echo "a folder was made although nothing can be measured"; failures=$((failures + 1)); }
fi

# the host's threshold, at one small size
expect 0 'lanes up to n = ' --backend host --sizes 16 --out "$work/tables/host"
expect 0 'in order' --check "$work/tables/host/potrf.inc"
expect 0 'as before' --backend host --sizes 16 --out "$work/tables/host"
expect 2 '--out: cannot write' --backend host --sizes 16 --out /proc/talus
expect 2 "'4x'" --backend host --sizes 4x --out "$work/tables/host"
# It has no table but potrf's, which another routine must not replace.
cp "$work/tables/host/potrf.inc" "$work/before.inc"
expect 2 "--routine: the host has no table of posv" --backend host --routine posv --sizes 16 --out "$work/tables/host"
expect 2 "--routine: the host has no table of potrf_vbatched" --backend host --routine potrf_vbatched --sizes 16 \
  --out "$work/tables/host"
cmp "$work/tables/host/potrf.inc" "$work/before.inc" || failures=$((failures + 1))
[ ! -e "$work/results/host/posv.csv" ] || { echo "posv measured on the host"; failures=$((failures + 1)); }
# The time is what it is on a GPU; where it ends the sweep, no table is written of what there is.
for time in abc 0s -5s 5x; do
  expect 2 "--budget: '$time' is no time" --backend host --budget $time --sizes 16 --out "$work/tables/host"
  expect 2 "--budget: '$time' is no time" --routine potrf_vbatched --budget $time
done
expect 4 'the budget of 1e-9s ended' --backend host --budget 1e-9s --sizes 17 --out "$work/tables/brief"
[ ! -e "$work/tables/brief/potrf.inc" ] || { echo "a table of no measurement"; failures=$((failures + 1)); }
# Lost output has a status of its own: 1 is a wrong result.
ln -s /dev/full "$work/full.csv"
expect 5 "cannot write '.*full.csv'" --backend host --sizes 16 --fresh --results "$work/full.csv" --out "$work/tables/host"
"$tune" --space >/dev/full 2>"$work/words"
if [ $? != 5 ] || ! grep -q 'standard output was lost' "$work/words"; then
  echo "--space into a full device:"; cat "$work/words"; failures=$((failures + 1))
fi
expect 0 'written' --backend host --budget 1h --sizes 16 --out "$work/tables/brief"

[ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
