package dev.cairn.platform;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.lang.reflect.Method;

/**
 * What the decoder of a connection keeps of a request that came in one packet with the end of
 * another. It tells only its subclasses, and the server makes it, so it is asked by reflection.
 */
@RegisterForReflection(targets = ByteToMessageDecoder.class, fields = false)
final class DecoderBytes {
  private static final Method KEPT = kept();

  private DecoderBytes() {}

  private static Method kept() {
    try {
      var method = ByteToMessageDecoder.class.getDeclaredMethod("actualReadableBytes");
      method.setAccessible(true);
      return method;
    } catch (NoSuchMethodException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** How many bytes the decoder has read and not decoded; 0 if there is no decoder yet. */
  static int of(ChannelPipeline pipeline) {
    try {
      return pipeline.get(MessageFraming.DECODER) instanceof ByteToMessageDecoder decoder
          ? (int) KEPT.invoke(decoder)
          : 0;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
