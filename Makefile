# The sources that follow from Protos/. They are committed; `make generate` rewrites them.

SWIFT_BUILD ?= swift build
PROTO_FILES := $(sort $(shell cd Protos && find google grpc trackme -name '*.proto'))
# Types of protobuf itself: in C only as far as they are used; descriptor.proto is what the generator reads with.
WELL_KNOWN := google/protobuf/any.proto google/protobuf/descriptor.proto google/protobuf/duration.proto
PROTO_PATH := -I Protos -I /usr/include
GENERATED_INTO ?= Sources
GENERATED := CMessages/google CMessages/grpc CMessages/trackme CMessages/include/google CMessages/include/grpc \
  CMessages/include/trackme CMessages/descriptor_set.c WireCodec/Generated ServiceAPI/Generated

.PHONY: generate check-generated lint-protos

# Writes C structs (protoc-c), Swift structs, handler protocols, clients and the embedded descriptor set.
generate:
	set -e; work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; \
	mkdir -p "$$work/c" "$$work/out/CMessages/include"; \
	protoc $(PROTO_PATH) --include_imports --include_source_info --descriptor_set_out="$$work/set" $(PROTO_FILES); \
	$(SWIFT_BUILD) --product trackme-generate; \
	"$$($(SWIFT_BUILD) --show-bin-path)/trackme-generate" "$$work/set" "$$work/out"; \
	protoc-c $(PROTO_PATH) --c_out="$$work/c" $(PROTO_FILES) $(WELL_KNOWN); \
	cp -r "$$work/c/." "$$work/out/CMessages/include"; \
	cp -r "$$work/c/." "$$work/out/CMessages"; \
	find "$$work/out/CMessages/include" -name '*.c' -delete; \
	find "$$work/out/CMessages" -path "$$work/out/CMessages/include" -prune -o -name '*.h' -exec rm {} +; \
	for path in $(GENERATED); do \
	  rm -rf "$(GENERATED_INTO)/$$path"; mkdir -p "$$(dirname "$(GENERATED_INTO)/$$path")"; \
	  cp -r "$$work/out/$$path" "$(GENERATED_INTO)/$$path"; \
	done

# Fails, and shows the difference, where the committed sources are not what Protos/ gives.
check-generated:
	set -e; fresh=$$(mktemp -d); trap 'rm -rf "$$fresh"' EXIT; \
	$(MAKE) --no-print-directory generate GENERATED_INTO="$$fresh"; \
	for path in $(GENERATED); do \
	  diff -r -u "Sources/$$path" "$$fresh/$$path" || { echo "stale: run make generate"; exit 1; }; \
	done

# Files of others stand as published, so they are not reformatted.
lint-protos:
	cd Protos && buf lint && buf format --diff --exit-code --exclude-path google --exclude-path grpc \
	  && buf breaking --against v1.baseline.binpb
