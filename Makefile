.PHONY: run demo release test test-pages test-operating test-all test-client test-clients test-cluster endure tsan kernel lint format bench timing states pictures docs package release-files try-package image try-image

run: ## serve on http://localhost:8080, in development mode, with no configuration
	scripts/setup run
	scripts/swift-build --product vestibule
	.build/debug/vestibule serve

demo: ## an application behind it, with a real Caddy, on http://localhost:8000
	scripts/demo

release: ## the optimised binary, in .build/release; it needs no Swift where it runs
	scripts/setup run
	scripts/release --product vestibule

docs: ## the documents as a site, and the documentation of the products for other programs, in .build/docs
	scripts/setup docs
	scripts/docs

package: release ## a Debian package and a tarball, in .build/package
	scripts/setup package
	scripts/package

release-files: release ## all files of a release, in .build/release-files: docs/operating/releases.md
	scripts/setup package
	scripts/setup image
	scripts/release-files

try-package: package ## install and boot it in a bare Debian 12, Debian 13 and Ubuntu 24.04, and make a release twice; takes root
	scripts/try-package

image: package ## a container image (OCI), in .build/image
	scripts/setup image
	scripts/image

try-image: image ## run it in Podman, with the examples of Compose and Kubernetes, and in Docker; takes root
	scripts/try-image

test: lint ## lint, Swift suites, and what people do in a real Chromium; CI runs this and the next two
	scripts/test

test-pages: ## every page and mail in all its states (axe, sizes, keyboard, scripts, markup, mail programs), and all below a path
	scripts/test pages

test-operating: ## what an operator does: commands, upgrades, proxies, webhooks, examples, attacks on a real server
	scripts/test operating

test-all: ## everything there is to run, with a table at the end; takes root and hours
	scripts/test-all

test-client: release ## the suites of VestibuleClient behind TLS, on both engines, and with a clock an hour off; takes root
	scripts/test-client

test-cluster: ## a cluster of PostgreSQL and three nodes, and what dies in it; takes root
	scripts/test-cluster

test-clients: ## real applications that sign people in by OpenID Connect: JupyterHub, Synapse, pgAdmin, Apache, Django…
	scripts/test-clients

endure: release ## servers killed under load and hostile requests for MINUTES (60), ENGINE=postgres as well; reports what came of it
	scripts/endure

tsan: ## the Swift suites under ThreadSanitizer
	scripts/tsan

kernel: ## the Argon2id kernels beside libargon2, under sanitizers
	scripts/kernel

lint: ## format and import rules
	scripts/lint

format:
	swift format --in-place --recursive Package.swift Sources Tests Benchmarks docs/examples/ios

bench: release ## speed and size, one table
	scripts/bench

timing: release ## do login, sign-up and reset answer known and unknown addresses alike?
	scripts/timing

states: ## a picture of every page and refused form, in .build/states
	scripts/setup test
	scripts/swift-build --product vestibule
	scripts/states

pictures: ## the pictures of docs/pictures, taken anew
	scripts/setup test
	scripts/swift-build --product vestibule
	scripts/pictures
