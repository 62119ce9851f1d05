// The least that a C++ gRPC callback server can do with pushed readings: parse each batch and acknowledge it. No
// validation, no storage. It speaks TrackMe's own protocol, so that `trackme bench ingest` can load it and TrackMe with
// the same messages and compare what a message costs.
//
//   echo_server HOST:PORT each         one response for each batch, before the next batch of the stream is read
//   echo_server HOST:PORT cumulative   acknowledgements that would queue behind a write share one response
//
// Prints "listen=HOST:PORT" when it serves; ends with SIGTERM.
#include <grpcpp/grpcpp.h>

#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>

#include "trackme/ingest/v1/ingest_service.grpc.pb.h"

namespace {

using trackme::ingest::v1::BatchAcknowledgements;
using trackme::ingest::v1::IngestService;
using trackme::ingest::v1::PushReadingsRequest;
using trackme::ingest::v1::PushReadingsResponse;

class PushStream : public grpc::ServerBidiReactor<PushReadingsRequest, PushReadingsResponse> {
 public:
  explicit PushStream(bool acknowledges_each) : acknowledges_each_(acknowledges_each) { StartRead(&request_); }

  void OnReadDone(bool ok) override {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!ok) {
      is_half_closed_ = true;
    } else if (request_.has_hello()) {
      next_.mutable_welcome()->set_max_batch_readings(10'000);
      has_next_ = true;
    } else {
      acknowledge();
    }
    if (ok && !acknowledges_each_) StartRead(&request_);
    advance();
  }

  void OnWriteDone(bool ok) override {
    std::lock_guard<std::mutex> lock(mutex_);
    is_writing_ = false;
    if (ok && acknowledges_each_ && !is_half_closed_) StartRead(&request_);
    advance();
  }

  void OnDone() override { delete this; }

 private:
  void acknowledge() {
    const auto& batch = request_.batch();
    auto* acknowledgement = next_.mutable_acknowledgements()->add_acknowledgements();
    acknowledgement->set_sequence(batch.sequence());
    acknowledgement->set_position(++position_);
    acknowledgement->set_accepted(static_cast<uint32_t>(batch.readings().scalars().value_size()));
    has_next_ = true;
  }

  void advance() {
    if (is_writing_) return;
    if (has_next_) {
      response_.Swap(&next_);
      next_.Clear();
      has_next_ = false;
      is_writing_ = true;
      StartWrite(&response_);
    } else if (is_half_closed_ && !is_finished_) {
      is_finished_ = true;
      Finish(grpc::Status::OK);
    }
  }

  const bool acknowledges_each_;
  // Reads and writes complete on different threads.
  std::mutex mutex_;
  PushReadingsRequest request_;
  // What is being written, and what is gathered behind it.
  PushReadingsResponse response_;
  PushReadingsResponse next_;
  int64_t position_ = 0;
  bool has_next_ = false;
  bool is_writing_ = false;
  bool is_half_closed_ = false;
  bool is_finished_ = false;
};

class EchoService : public IngestService::CallbackService {
 public:
  explicit EchoService(bool acknowledges_each) : acknowledges_each_(acknowledges_each) {}

  grpc::ServerBidiReactor<PushReadingsRequest, PushReadingsResponse>* PushReadings(
      grpc::CallbackServerContext*) override {
    return new PushStream(acknowledges_each_);
  }

 private:
  const bool acknowledges_each_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || (std::strcmp(argv[2], "each") != 0 && std::strcmp(argv[2], "cumulative") != 0)) {
    std::fprintf(stderr, "usage: echo_server HOST:PORT each|cumulative\n");
    return 2;
  }
  EchoService service(std::strcmp(argv[2], "each") == 0);
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(argv[1], grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&service);
  const auto server = builder.BuildAndStart();
  if (server == nullptr || port == 0) return 1;
  const std::string address = argv[1];
  std::printf("listen=%s:%d\n", address.substr(0, address.rfind(':')).c_str(), port);
  std::fflush(stdout);
  server->Wait();
}
