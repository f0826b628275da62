package dev.cairn.mcp;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.action.RunView;
import dev.cairn.platform.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/**
 * A page of the feed of deliveries.
 *
 * @param cursor where older ones begin; null at the end
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
record DeliveryFeed(List<RunView> items, String cursor) {
  static DeliveryFeed of(Page<RunView> page) {
    return new DeliveryFeed(page.items(), page.nextCursor());
  }
}
