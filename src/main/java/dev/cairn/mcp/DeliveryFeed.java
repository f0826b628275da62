package dev.cairn.mcp;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.action.read.RunView;
import dev.cairn.platform.page.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/**
 * A page of the feed of deliveries.
 *
 * @param cursor the cursor of the next page, with older runs; null on the last page
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
record DeliveryFeed(List<RunView> items, String cursor) {
  static DeliveryFeed of(Page<RunView> page) {
    return new DeliveryFeed(page.items(), page.nextCursor());
  }
}
