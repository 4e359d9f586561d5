# Newcomers need two commands: `make demo` and `make test`. Both install what is missing first (`make setup`).
# CMake does the building (CMakePresets.json); this file only gives its steps short names.

JOBS      ?= $(shell nproc 2>/dev/null || echo 2)
TEST_JOBS ?= 2
PREFIX    ?= /usr/local
LINT_SET  ?= changed
FUZZ_SECONDS ?= 120
CLANG_TARGETS ?= all
SHARED    ?= ../shared
CHARACTERS = $(wildcard $(SHARED)/characters/*.glb $(SHARED)/characters/*.vrm $(SHARED)/characters/*/*.gltf)
DEMO      := out/demo
CTEST     := ctest --output-on-failure --no-label-summary -j $(TEST_JOBS)

.DEFAULT_GOAL := help
.PHONY: help setup build batch-build demo test bench prior prior-check verdicts garments studies studies-quick instruction-count format format-check lint clang scalar asan-build asan tsan sanitize-all fuzz fuzz-campaign slurm-test kill-test soak torture pictures wheel wheel-test pip-test dist dist-test blender-addon blender-extension-test container-test install clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */|/' | awk -F'|' '{ printf "  make %-22s %s\n", $$1, $$2 }'

setup: ## install the Debian and npm packages that are missing (nothing to do: no network)
	@tools/setup.sh

# One configured build folder per preset: release -> build, asan -> build-asan, ...
build/build.ninja: CMakePresets.json | setup
	cmake --preset release
	@touch $@
build-%/build.ninja: CMakePresets.json | setup
	cmake --preset $*
	@touch $@

build: setup build/build.ninja ## release build; leaves build/bin/skincells
	cmake --build build -j $(JOBS)

# Only what the demo runs: tests and benchmarks take as long again to build.
demo: setup build/build.ninja ## make the example characters, bind one, write a report page, a contact sheet and a viewer page
	cmake --build build -j $(JOBS) --target skincells_cli skincells-examples
	@mkdir -p $(DEMO)
	build/bin/skincells-examples $(DEMO)
	build/bin/skincells bind $(DEMO)/biped_apose.glb -o $(DEMO)/biped_apose_skinned.glb --force \
	  --report-page $(DEMO)/report.html --view $(DEMO)/viewer.html
	build/bin/skincells render $(DEMO)/biped_apose_skinned.glb -o $(DEMO)/sheet.png --poses worst --views front,side,back --force
	@echo
	@echo "Example characters:  $(DEMO)/*.glb"
	@echo "Bound character:     $(DEMO)/biped_apose_skinned.glb"
	@echo "Report page:         $(DEMO)/report.html"
	@echo "Contact sheet:       $(DEMO)/sheet.png"
	@echo "Viewer page:         $(DEMO)/viewer.html"

test: build ## release build, then all tests
	$(CTEST) --test-dir build

bench: build ## run the benchmarks; results also in build/bench*.json
	build/bin/bench_foundation --benchmark_out=build/bench.json --benchmark_out_format=json
	build/bin/bench_field --benchmark_out=build/bench_field.json --benchmark_out_format=json
	build/bin/bench_bind --sweep --out build/bench_bind.json
	python3 bench/plot_costs.py build/bench_bind.json build/costs.svg
	build/bin/skincells-examples build/bench_garments
	build/bin/bench_garment build/bench_garments
	build/bin/bench_points --benchmark_out=build/bench_points.json --benchmark_out_format=json

prior: build ## train the prior on the shared characters and write its table (about ten minutes)
	@tools/setup.sh prior
	/usr/bin/python3 prior/check.py train build $(SHARED)

prior-check: build ## judge the prior by author folds (some minutes)
	@tools/setup.sh prior
	/usr/bin/python3 prior/check.py folds build $(SHARED)

verdicts: setup build/build.ninja ## judge the skins of the shared characters and copies that are spoiled or lost their skin (docs/verdict.md, docs/formats.md)
	cmake --build build -j $(JOBS) --target skincells_cli skincells-verdicts
	/usr/bin/python3 tools/verdict_table.py build $(SHARED)
	/usr/bin/python3 tools/fit_table.py build $(SHARED)

garments: build ## measure garments: examples, clothes of artists, cost (docs/garments.md; about ten minutes)
	build/bin/skincells-examples out/garments
	build/bin/skincells-garments out/garments --page docs/garments.md --pictures docs/images
	build/bin/bench_garment out/garments > out/garments/cost.md
	tools/put_table.py docs/garments.md cost < out/garments/cost.md
	python3 bench/plot_costs.py out/garments/cost.md docs/images/garment_cost.svg
	/usr/bin/python3 tools/garment_table.py build $(SHARED) > out/garments/artists.md
	tools/put_table.py docs/garments.md artists < out/garments/artists.md
	build/bin/skincells-dressed $(SHARED) > out/garments/dressed.md
	tools/put_table.py docs/garments.md dressed < out/garments/dressed.md

# STUDY=NAME measures one section only. Rows about shared characters need $(SHARED).
studies: build ## measure the claims of the paper and write docs/studies.md with its pictures (under an hour)
	@tools/setup.sh studies
	build/bin/skincells-examples out/studies
	build/bin/skincells-study-page out/studies --page docs/studies.md --pictures docs/images \
	  $(if $(wildcard $(SHARED)),--shared $(SHARED)) $(if $(STUDY),--only $(STUDY))

studies-quick: build ## the short form: fails if a verdict is not that of docs/studies.md
	build/bin/skincells-examples out/studies
	build/bin/skincells-study-page out/studies --check docs/studies.md $(if $(STUDY),--only $(STUDY))

instruction-count: build ## count the instructions of a fixed bind and store the count (tests/callgrind)
	cmake --build build --target update_instruction_count

format: setup ## format all C, C++ and web files in place
	@tools/format.sh

format-check: setup ## fail if a C, C++ or web file is not formatted
	@tools/format.sh --check

lint: setup build-clang/build.ninja ## clang-tidy on the files that differ from main (LINT_SET=all: on every file)
	@tools/lint.sh $(LINT_SET)

clang: setup build-clang/build.ninja ## build with clang++, warnings as errors (CLANG_TARGETS=all)
	cmake --build build-clang -j $(JOBS) --target $(CLANG_TARGETS)

# The tests of the solver's rooms with the scalar kernels; and the rooms that use kernels compile without Highway.
scalar: build setup build-scalar/build.ninja ## solver tests on the scalar path, and a compile without SIMD
	cmake --build build-scalar -j $(JOBS) --target skincells_room_kernels skincells_room_field skincells_room_loss
	SKINCELLS_SCALAR=1 $(CTEST) --test-dir build -R '^(kernels|field|loss|optim|deform|fit|guess)$$'

asan-build: setup build-asan/build.ninja
	cmake --build build-asan -j $(JOBS)

# Sanitizers make binds ten times slower: the corpus and the browser are left to the release build.
asan: asan-build ## clang++, warnings as errors; tests under the address and undefined-behavior sanitizers, without the slow ones
	$(CTEST) --test-dir build-asan -LE "corpus|web"

tsan: setup build-tsan/build.ninja ## tests under the thread sanitizer, without the slow ones
	cmake --build build-tsan -j $(JOBS)
	$(CTEST) --test-dir build-tsan -LE "corpus|web"

# Every test, also the slow ones but the browser's, and every shared character, under each sanitizer. There is no memory
# sanitizer: it needs a standard library and other libraries that are built with it.
sanitize-all: asan-build setup build-tsan/build.ninja ## all tests and all shared characters under the address, undefined-behavior and thread sanitizers (hours)
	cmake --build build-tsan -j $(JOBS)
	$(CTEST) --test-dir build-asan -LE web
	$(CTEST) --test-dir build-tsan -LE web
	@mkdir -p build/sanitize
	@for file in $(CHARACTERS); do for tree in build-asan build-tsan; do \
	  echo "$$tree $$file"; $$tree/bin/skincells bind "$$file" -o build/sanitize/out.glb --force --quiet || exit 1; done; done

fuzz: setup build-fuzz/build.ninja ## feed damaged files to each reader for two minutes (FUZZ_SECONDS=120)
	cmake --build build-fuzz -j $(JOBS) --target fuzz_read_glb fuzz_read_field fuzz_read_ply \
	  fuzz_read_ranges fuzz_read_joint_list fuzz_read_poses fuzz_read_options fuzz_bind_soup fuzz_make_seeds
	@mkdir -p build-fuzz/seeds build-fuzz/corpus build-fuzz/corpus-ply
	build-fuzz/bin/fuzz_make_seeds build-fuzz/seeds
	cp fuzz/seeds/triangle.gltf build-fuzz/seeds
	build-fuzz/bin/fuzz_read_glb -max_total_time=$(FUZZ_SECONDS) -max_len=8192 -rss_limit_mb=2048 -timeout=10 \
	  -artifact_prefix=build-fuzz/ build-fuzz/corpus build-fuzz/seeds
	build-fuzz/bin/fuzz_read_ply -max_total_time=$(FUZZ_SECONDS) -max_len=2048 -rss_limit_mb=2048 -timeout=10 \
	  -artifact_prefix=build-fuzz/ply- build-fuzz/corpus-ply build-fuzz/seeds
	@mkdir -p build-fuzz/field-corpus
	cp tests/golden/*.skc build-fuzz/field-corpus
	build-fuzz/bin/fuzz_read_field -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -rss_limit_mb=2048 -timeout=10 \
	  -artifact_prefix=build-fuzz/ build-fuzz/field-corpus
	@mkdir -p build-fuzz/range-corpus build-fuzz/list-corpus build-fuzz/soup-corpus build-fuzz/poses-corpus \
	  build-fuzz/options-corpus
	cp fuzz/seeds/ranges.json build-fuzz/range-corpus
	cp fuzz/seeds/joints.txt build-fuzz/list-corpus
	cp fuzz/seeds/poses.json build-fuzz/poses-corpus
	cp fuzz/seeds/options.json build-fuzz/options-corpus
	build-fuzz/bin/fuzz_read_ranges -max_total_time=$(FUZZ_SECONDS) -max_len=2048 -rss_limit_mb=2048 -timeout=10 \
	  -artifact_prefix=build-fuzz/range- build-fuzz/range-corpus
	build-fuzz/bin/fuzz_read_joint_list -max_total_time=$(FUZZ_SECONDS) -max_len=512 -rss_limit_mb=2048 -timeout=10 \
	  -artifact_prefix=build-fuzz/list- build-fuzz/list-corpus
	build-fuzz/bin/fuzz_read_poses -max_total_time=$(FUZZ_SECONDS) -max_len=2048 -rss_limit_mb=2048 -timeout=10 \
	  -artifact_prefix=build-fuzz/poses- build-fuzz/poses-corpus
	build-fuzz/bin/fuzz_read_options -max_total_time=$(FUZZ_SECONDS) -max_len=2048 -rss_limit_mb=2048 -timeout=10 \
	  -artifact_prefix=build-fuzz/options- build-fuzz/options-corpus
	build-fuzz/bin/fuzz_bind_soup -max_total_time=$(FUZZ_SECONDS) -max_len=1024 -rss_limit_mb=2048 -timeout=10 \
	  -artifact_prefix=build-fuzz/soup- build-fuzz/soup-corpus

FUZZ_COUNT ?= 10000000
fuzz-campaign: build ## ten million damaged files for each reader, 10,000 for each importer, 100,000 random binds (hours)
	@mkdir -p build/fuzz && build/bin/fuzz_make_seeds build/fuzz
	cd build/fuzz && ../bin/fuzz_campaign soup $$(($(FUZZ_COUNT) / 100)) 1
	cd build/fuzz && ../bin/fuzz_campaign glb $(FUZZ_COUNT) 1 *.glb ../../fuzz/seeds/triangle.gltf ../../tests/data/fuzz/glb/*
	cd build/fuzz && ../bin/fuzz_campaign ply $(FUZZ_COUNT) 1 *.ply ../../tests/data/fuzz/ply/*
	cd build/fuzz && ../bin/fuzz_campaign field $(FUZZ_COUNT) 1 ../../tests/golden/*.skc
	cd build/fuzz && ../bin/fuzz_campaign ranges $(FUZZ_COUNT) 1 ../../fuzz/seeds/ranges.json
	cd build/fuzz && ../bin/fuzz_campaign list $(FUZZ_COUNT) 1 ../../fuzz/seeds/joints.txt
	cd build/fuzz && ../bin/fuzz_campaign poses $(FUZZ_COUNT) 1 ../../fuzz/seeds/poses.json
	cd build/fuzz && ../bin/fuzz_campaign options $(FUZZ_COUNT) 1 ../../fuzz/seeds/options.json
	cd build/fuzz && ../bin/fuzz_campaign obj $$(($(FUZZ_COUNT) / 1000)) 1 ../../fuzz/seeds/panel.obj
	cd build/fuzz && ../bin/fuzz_campaign fbx $$(($(FUZZ_COUNT) / 1000)) 1 ../../fuzz/seeds/bone.fbx

# The campaigns over batches run the program alone.
batch-build: setup build/build.ninja
	cmake --build build -j $(JOBS) --target skincells_cli skincells_import skincells-examples

slurm-test: batch-build ## run a batch on a small Slurm cluster on this machine (needs root)
	@tools/setup.sh slurm
	python3 tests/slurm/slurm_test.py build/bin/skincells build/bin/skincells-examples build/slurm-test --shared $(SHARED)/characters

kill-test: batch-build ## kill a batch of 2,000 items 20 times and resume it; the same on a full disk (root only; about ten minutes)
	python3 tests/batch/kill_campaign.py build/bin/skincells build/bin/skincells-examples build/kill-test

soak: build ## 1,000 binds in one process; 200 kills and 100 full disks for each command that writes (about an hour)
	SKINCELLS_SOAK=1000 build/bin/test_bind --gtest_filter='Soak.*'
	SKINCELLS_KILLS=100 build/bin/test_cli --gtest_filter='Ending.*'

TORTURED := biped_tpose_lod2 quadruped_lod2 robot_lod2 bear_lod2
torture: build ## 632 spoiled files through `skincells batch`, and dirt alone and in pairs: the tables of docs/robustness.md
	build/bin/skincells-examples build/torture/clean
	build/bin/skincells-torture write build/torture/in $(TORTURED:%=build/torture/clean/%.glb)
	-build/bin/skincells batch build/torture/in -o build/torture/out --quiet -- bind --quiet
	build/bin/skincells-torture judge build/torture/in build/torture/out
	build/bin/skincells-dirt --pairs $(TORTURED:%=build/torture/clean/%.glb)
	build/bin/skincells-dirt $(CHARACTERS)

pictures: build ## make the pictures of the documentation again
	@tools/make_pictures.sh build

wheel: setup build/build.ninja ## a Python wheel with the library and all that it needs inside, in out/wheel (docs/python.md)
	cmake --build build -j $(JOBS) --target skincells_c skincells_import
	@rm -rf out/wheel
	SKINCELLS_BUILD_DIR=build SKINCELLS_BUNDLE=1 /usr/bin/python3 -m pip wheel --quiet --no-deps --no-build-isolation \
	  --wheel-dir out/wheel .
	@ls out/wheel/*.whl

wheel-test: wheel ## install the wheel into a bare Debian and run its tests there (needs root)
	@tools/setup.sh debian
	cmake --build build -j $(JOBS) --target skincells-examples
	build/bin/skincells-examples build/wheel-test --only quadruped
	tests/python/bare_system.sh out/wheel/*.whl build/wheel-test/quadruped.glb build/wheel-test

pip-test: setup build/build.ninja ## install the Python package from a clone into a bare Debian and run its tests there (needs root)
	@tools/setup.sh debian
	cmake --build build -j $(JOBS) --target skincells-examples
	build/bin/skincells-examples build/pip-test --only quadruped
	tests/python/bare_clone.sh build/pip-test/quadruped.glb build/pip-test

dist: setup build/build.ninja ## a release archive with program, importer, libraries, manual page, completions and licenses, in out/dist
	cmake --build build -j $(JOBS) --target skincells_cli skincells_completions skincells_import
	/usr/bin/python3 tools/dist.py build out/dist

dist-test: dist ## unpack the archive in a bare Debian and run the program there (needs root)
	@tools/setup.sh debian
	cmake --build build -j $(JOBS) --target skincells-examples
	build/bin/skincells-examples build/dist-test --only quadruped
	tests/dist/bare_system.sh out/dist/*.tar.gz build/dist-test/quadruped.glb build/dist-test

blender-addon: wheel ## the Blender add-on with the wheel inside, in out/blender (docs/blender.md)
	/usr/bin/python3 blender/build_addon.py out/wheel/*.whl out/blender/skincells_addon.zip

blender-extension-test: blender-addon ## run the tests of the add-on as an extension in the Blender of Debian 13 (needs root)
	@tools/setup.sh debian
	cmake --build build -j $(JOBS) --target skincells_cli skincells-examples
	tests/blender/extension_test.sh out/blender/skincells_addon.zip build/bin/skincells build/bin/skincells-examples \
	  build/blender-extension-test

# INSTALLED=FOLDER takes what `make install PREFIX=FOLDER` put there in place of the build stage: one minute.
container-test: batch-build ## build the image of tools/Containerfile and run a batch in it (needs root, about half an hour)
	@tools/setup.sh container
	tests/container/container_test.sh build/bin/skincells build/bin/skincells-examples build/container-test $(INSTALLED)

install: build ## install the program, library, headers and CMake package (PREFIX=/usr/local)
	cmake --install build --prefix $(PREFIX)

clean: ## remove all that was built
	rm -rf build build-* out
