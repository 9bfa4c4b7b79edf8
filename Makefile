# The targets that Pulumi's repositories have, for the scripts of package.json.
.PHONY: ensure build lint format test test_fast test_all

ensure:
	npm ci --ignore-scripts

build:
	npm run build

lint:
	npm run lint

format:
	npm run format

test_fast:
	npm run check

test:
	npm test

test_all:
	npm run test:all
