package dev.cairn.egress;

/** A {@link NetworkFault} on its way up to the result. */
final class NetworkException extends Exception {
  private static final long serialVersionUID = 1L;

  private final NetworkFault fault;

  NetworkException(NetworkFault fault) {
    super(fault.sentence(), null, false, false);
    this.fault = fault;
  }

  NetworkFault fault() {
    return fault;
  }
}
