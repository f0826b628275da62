package dev.cairn.platform.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.quarkus.arc.All;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * The JSON settings. Times in answers are integers, in epoch milliseconds. Strings are UTF-8:
 * characters beyond U+FFFF take 4 bytes, not two escapes of 6 bytes, so that an answer has the size
 * that its page counted. Names of members are not cached after a text is parsed, since anybody can
 * send any number of names.
 */
@Singleton
public class JsonSettings {
  /** The mapper of all records in requests and answers. */
  // The caching of names is set when the factory is created; a customizer would be too late.
  @Produces
  @Singleton
  public ObjectMapper mapper(@All List<ObjectMapperCustomizer> customizers) {
    var factory =
        JsonFactory.builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build();
    var mapper =
        JsonMapper.builder(factory)
            .disable(SerializationFeature.WRITE_DATE_TIMESTAMPS_AS_NANOSECONDS)
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .build();
    customizers.stream().sorted().forEach(customizer -> customizer.customize(mapper));
    return mapper;
  }
}
