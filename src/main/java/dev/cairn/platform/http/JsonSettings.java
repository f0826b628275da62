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
 * Times in answers are JSON numbers of epoch milliseconds, without a fraction. Texts are UTF-8:
 * characters beyond U+FFFF are 4 bytes, not two escapes of 6, so that an answer has the size that
 * its page counted. Names of members are not cached beyond the text that had them, which may be a
 * stranger's.
 */
@Singleton
public class JsonSettings {
  /** The mapper of all records in requests and answers. */
  // A factory keeps names as it was told when it was made, so a customizer would come too late.
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
