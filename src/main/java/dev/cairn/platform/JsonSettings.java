package dev.cairn.platform;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;

/**
 * Times in answers are JSON numbers of epoch milliseconds, without a fraction. Texts are UTF-8:
 * characters beyond U+FFFF are 4 bytes, not two escapes of 6, so that an answer has the size that
 * its page counted.
 */
@Singleton
class JsonSettings implements ObjectMapperCustomizer {
  @Override
  public void customize(ObjectMapper mapper) {
    mapper.disable(SerializationFeature.WRITE_DATE_TIMESTAMPS_AS_NANOSECONDS);
    mapper.enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8.mappedFeature());
  }
}
