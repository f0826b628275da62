package dev.cairn.access.limit;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.model.Problem;
import dev.cairn.platform.Configs;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/limits.md, Quotas: each has a setting of its own. */
class QuotaSettingsTest {
  private static Quotas quotas(Quota quota, int limit) {
    return new Quotas(
        Configs.with("cairn.quotas." + quota.setting(), "" + limit), new SimpleMeterRegistry());
  }

  @ParameterizedTest
  @EnumSource
  void zero_switches_one_off(Quota quota) {
    var quotas = quotas(quota, 0);
    assertFalse(quotas.isOn(quota));
    assertDoesNotThrow(() -> quotas.refuseOneMore(quota, Long.MAX_VALUE));
    assertNull(quotas.usage(quota, 7).limit());
  }

  @ParameterizedTest
  @EnumSource
  void any_other_number_is_what_there_may_be(Quota quota) {
    var quotas = quotas(quota, 7);
    assertTrue(quotas.isOn(quota));
    assertDoesNotThrow(() -> quotas.refuseOneMore(quota, 6));
    var refused = assertThrows(Problem.class, () -> quotas.refuseOneMore(quota, 7));
    assertTrue(refused.detail().contains("7"), refused.detail());
    assertEquals(7, quotas.usage(quota, 7).limit());
  }
}
