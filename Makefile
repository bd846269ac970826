# `make` alone lists the commands. Everything happens in .venv and _build; delete both to start afresh.
PYTHON ?= python3
LOWEST := 3.11.0
PORT ?= 8000
LISTEN ?= 127.0.0.1
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest -n auto --dist loadgroup
VERSIONS ?= lowest
PACKAGES ?=
PAPER ?= a4
CHAPTER ?=
NAME ?=
SEED ?= $(shell date +%s)
PIP := $(BIN)/python -m pip --disable-pip-version-check
# Containers set it: then each of a hundred processes would compile all that it imports.
export PYTHONDONTWRITEBYTECODE :=
# Python before 3.13 could not read its list of packages in a folder "Übungen" there.
ifneq (,$(filter C POSIX,$(LC_ALL)))
export LC_ALL := C.UTF-8
endif

.DEFAULT_GOAL := help
.PHONY: help serve test data study order book lint format lab assignments notebooks kit chapter frame quick publish pdf wheel versions links bench lock clean

help:  ## list the commands
	@awk -F ':.*##  *' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: asked book  ## build the book and serve it, to this machine only (to a room: LISTEN=its address)
	@$(BIN)/python -m tools.serve _build/html --port $(PORT) --host $(LISTEN)

test: $(VENV)/.dev book  ## build the book and run all tests
	@echo "==> Tests: package, chapters, built site"
	@LDP_BOOK_OFFLINE=1 $(PYTEST) --durations=12

data: $(VENV)/.dev  ## run what depends on data once more, with the real files in LDP_BOOK_DATA
	@test -d "$(LDP_BOOK_DATA)" || { echo "LDP_BOOK_DATA must name the folder of the real files"; exit 1; }
	@echo "==> Real data: what chapters assert of them, and tests"
	@LDP_BOOK_OFFLINE=1 $(BIN)/python -m tools.build --check
	@LDP_BOOK_OFFLINE=1 $(PYTEST) -m "data and not site" tests/datasets $$(grep -rl --include="*.py" "mark\.data" tests)
	@$(BIN)/python -m pytest -q tests/book/test_runs.py

study: $(VENV)/.dev  ## run the studies on the real files anew and store them (an hour; needs UCI or LDP_BOOK_DATA)
	@$(BIN)/python -m ldp_book.studies --save

order: $(VENV)/.dev  ## run the tests that need no built site in a random order (SEED=7: in that one)
	@$(PYTEST) -m "not site" --shuffle $(SEED)

book: $(VENV)/.book  ## build the book into _build/html
	@$(BIN)/python -m tools.build

chapter: asked $(VENV)/.book  ## execute one chapter and make its page, in a book that is built (NAME=numeric/one-number)
	@test -n "$(NAME)" || { echo "NAME must be that of a chapter, such as numeric/one-number"; exit 1; }
	@$(BIN)/python -m tools.build --page $(NAME)

frame: $(VENV)/.book  ## write an empty chapter to start from (NAME=numeric/medians)
	@$(BIN)/python -m tools.frame $(NAME)

quick: $(VENV)/.dev  ## the tests to run before each commit: no site, nothing slow
	@LDP_BOOK_OFFLINE=1 $(PYTEST) -q -m "not site and not slow"

lint: $(VENV)/.dev  ## formatting, style and types
	$(BIN)/ruff format --check .
	$(BIN)/python -m tools.format --check
	$(BIN)/ruff check .
	$(BIN)/codespell $$(git ls-files | grep -E "\.(md|py|ipynb|toml|yml|js|css|bib|txt)$$")
	$(BIN)/mypy

format: $(VENV)/.dev  ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m tools.format

lab: book  ## open copies of the chapters in JupyterLab, in the folder lab (what you change there stays)
	@$(BIN)/python -m tools.copies
	$(BIN)/jupyter lab lab --allow-root

assignments: book  ## export the exercises for nbgrader into _build/assignments
	@$(BIN)/python -m tools.assignments

notebooks: book  ## write what Binder and Colab open, a branch of the repository, into _build/notebooks
	@$(BIN)/python -m tools.copies --branch

kit: book  ## make a folder and a zip for a room without network in _build/kit (PACKAGES=yes: with what it needs)
	@$(BIN)/python -m tools.kit $(if $(PACKAGES),--packages)

publish: book  ## make a folder and a zip for any web space in _build/publish
	@$(BIN)/python -m tools.publish

pdf: asked $(VENV)/.dev book  ## print the book into _build/pdf (CHAPTER=numeric/one-number: a chapter; PAPER=letter)
	@$(BIN)/python -m tools.paper $(CHAPTER) --paper $(PAPER)

wheel: $(VENV)/.dev  ## build the packages' wheels and source archives into dist
	@for project in . livefig ldp_book; do $(BIN)/python -m build --outdir dist $$project || exit 1; done

versions:  ## test the package with the lowest or the newest versions it allows (VERSIONS=newest)
	@$(PYTHON) -m tools.versions $(VERSIONS) --test

links: $(VENV)/.book  ## ask every host that the book links to (needs a network)
	@$(BIN)/python -m tools.build --links

bench: $(VENV)/.dev  ## measure the speed claims (ratios, one run)
	@for file in benchmarks/[a-z]*.py; do \
	  name=$$(basename $$file .py); echo "==> $$name"; $(BIN)/python -m benchmarks.$$name || exit 1; \
	done

lock:  ## renew constraints.txt from requirements*.txt, with what Python $(LOWEST) accepts
	rm -rf _build/lock && $(PYTHON) -m venv _build/lock
	_build/lock/bin/python -m pip install -q --python-version $(LOWEST) --only-binary :all: --target _build/lock/all -r requirements-dev.txt
	{ head -1 constraints.txt; _build/lock/bin/python -m pip freeze --path _build/lock/all; } > _build/lock/constraints.txt
	mv _build/lock/constraints.txt constraints.txt

clean:  ## delete everything that was built
	rm -rf _build dist

# Slips in variables are told before anything is built.
asked: FORCE
	@[ "$(PORT)" -ge 1 ] 2>/dev/null && [ "$(PORT)" -le 65535 ] || { echo "PORT must be a whole number from 1 to 65535, got $(PORT)"; exit 1; }
	@case "$(PAPER)" in [aA]4 | [lL]etter) ;; *) echo "PAPER must be a4 or letter, got $(PAPER)"; exit 1 ;; esac
	@for name in $(CHAPTER) $(NAME); do page=$${name#book/}; ls "book/$${page%.*}".[im]* >/dev/null 2>&1 || { \
	  echo "a chapter is named as its file in book, such as numeric/one-number; got $$name"; exit 1; }; done

# The environment. Where it stands and of which Python it is, is written into it last of all: one that was not finished,
# was moved or copied, lost its pip, or is of another Python than PYTHON=... asks for, is made anew.
ASKED := $(if $(filter file,$(origin PYTHON)),$(BIN)/python,$(PYTHON))
identity = { pwd -P; $(1) -c 'import sys; print(sys.version_info[:2])'; } 2>/dev/null
$(VENV)/.made: FORCE
	@{ $(BIN)/python -c 'import pip' && $(call identity,$(ASKED)) | cmp -s - $@; } 2>/dev/null || { \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python >= 3.11 is needed, this is " + sys.version.split()[0] + ": try make PYTHON=python3.12")' && \
	  $(PYTHON) -m venv --clear $(VENV) && $(call identity,$(PYTHON)) > $@; }
FORCE:

# What builds the book, and what tests it besides. Touching a requirements file renews them.
# Python compiles what it imports; pip would compile all of it, most of which is never imported.
HINT := { echo "==> Not installed: packages come over the network. If that is not it, rm -rf $(VENV) and try again."; exit 1; }
$(VENV)/.book: $(VENV)/.made requirements.txt constraints.txt pyproject.toml livefig/pyproject.toml ldp_book/pyproject.toml
	@echo "==> Environment: installing pinned packages into $(VENV) (about a minute, 1 GB in the end)"
	@$(PIP) install -q --no-compile -r requirements.txt -c constraints.txt || $(HINT)
	@$(PIP) install -q --no-deps -e . -e ./livefig -e ./ldp_book || $(HINT)
	@touch $@

$(VENV)/.dev: $(VENV)/.book requirements-dev.txt
	@echo "==> Environment: adding what tests need"
	@$(PIP) install -q --no-compile -r requirements-dev.txt -c constraints.txt || $(HINT)
	@touch $@
