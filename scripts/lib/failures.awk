# SPDX-License-Identifier: Apache-2.0 OR MIT
# What failed, from a log of any of the test runners: cargo's sections of failed tests (the name, and the first lines of
# what the test printed last), tests that a signal ended, pytest's and our own FAILED and FAIL lines, and errors of
# compilers. Who reads only the end of a long output finds it there.

# A section of cargo: name, then the message of the panic, which is what stands after the line with its place.
/^---- .* (stdout )?----$/ { emit($2); lines = 0; section = 1; next }
section && /^(failures:|test result:)/ { section = 0 }
section && /panicked at/ { lines = 6 }
section && lines > 0 && NF && !/^note: run with/ { emit("    " $0); lines-- ; next }
/^(FAILED|FAIL) / && !/\(log: / { emit($0) }
/process didn't exit successfully: .*\(signal: / { emit($0) }
/^error(\[E[0-9]+\])?: / && !/to rerun pass|target.? failed/ { emit($0); next }
/^E   / { emit("    " $0) }

function emit(line) {
    if (count < most) print substr(line, 1, 200)
    count++
}
END { if (count > most) print "and " count - most " lines more" }
