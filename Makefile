VENV ?= .venv
# The first one that really runs: a shim of a version manager may be on the path and fail.
PYTHON ?= $(shell for python in python3.13 python3.12 python3.11 python3; do \
	$$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)
BIN := $(VENV)/bin
PYBABEL ?= $(BIN)/python -m babel.messages.frontend
TEMPLATE ?= locales/zanzibar.pot

# Drops the header lines that change with the clock or the tool, or that nobody has filled in.
TIDY := sed -E -e '/^"(POT-Creation-Date|Generated-By|.*(YEAR-MO-DA|EMAIL@ADDRESS|LL@li\.org))/d' \
	-e 's/^"Project-Id-Version:.*/"Project-Id-Version: zanzibar-plugin\\n"/'

.DELETE_ON_ERROR:
.PHONY: play serve test load catalogs template schema sounds format clean

play: $(VENV)/.play
	$(BIN)/zanzibar play

serve: $(VENV)/.room
	$(BIN)/zanzibar serve

test: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 3

load: $(VENV)/.dev
	$(BIN)/python -m tests.load

# Merged with gettext's own tool: Babel breaks a long note on the previous sentence in two, so
# that the file cannot be read any more.  English is its own source, and always made anew.
catalogs: $(VENV)/.dev template
	@command -v msgmerge >/dev/null || { echo "make catalogs needs gettext (msgmerge)" >&2; exit 1; }
	for file in locales/*/LC_MESSAGES/zanzibar.po; do \
		case $$file in \
			locales/en/*) sed '/^$$/q' $$file >$$file.old; fill="msgen --no-wrap -";; \
			*) cp $$file $$file.old; fill=cat;; \
		esac; \
		msgmerge --quiet --previous --no-wrap --add-location=file $$file.old locales/zanzibar.pot \
			| msgattrib --no-obsolete --no-wrap | $$fill | $(TIDY) >$$file.new && \
		rm $$file.old && test -s $$file.new && \
		if cmp -s $$file.new $$file; then rm $$file.new; else mv $$file.new $$file; fi || exit 1; \
	done
	$(BIN)/python -m zanzibar_plugin.catalog_check

template:
	$(PYBABEL) --quiet extract -F pyproject.toml --no-default-keywords -k text -k texts:1,2 \
		-c L10N: --no-wrap --add-location=file --sort-by-file --project zanzibar-plugin \
		--header-comment '# Messages of the dice game Zanzibar.' -o $(TEMPLATE).new .
	$(TIDY) $(TEMPLATE).new >$(TEMPLATE).tmp
	rm $(TEMPLATE).new
	if cmp -s $(TEMPLATE).tmp $(TEMPLATE); then rm $(TEMPLATE).tmp; \
	else mv $(TEMPLATE).tmp $(TEMPLATE); fi

schema: $(VENV)/.dev
	$(BIN)/python -m zanzibar_plugin.grammar >docs/rules.schema.json

sounds: $(VENV)/.play
	$(BIN)/python -m zanzibar_plugin.hosts.web.sounds

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find locales -name '*.mo' -delete
	find zanzibar_plugin tests -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n "$(PYTHON)" || \
		{ echo "Python 3.11 or newer is needed; say where: make PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.play: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[solver]'
	touch $@

$(VENV)/.room: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[room,solver]'
	touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/.play
