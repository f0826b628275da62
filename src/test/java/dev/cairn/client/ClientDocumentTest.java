package dev.cairn.client;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The types and methods of the client are those of the OpenAPI document. */
class ClientDocumentTest {
  private static final String ARGUMENTS = "its members are arguments of a method";
  private static final String PARTLY_ARGUMENTS = "the members that are not constant are arguments";
  private static final String NOTHING = "says nothing but that it was done";
  private static final String DISCOVERY = "metadata for OAuth clients of any service";
  private static final String OPERATORS = "for probes and monitoring, not for clients";
  private static final String PEOPLE = "a page or a form of a page";
  private static final String RENEWAL = "the client does it itself, or getDeviceToken";
  private static final String SAME = "the same members as a schema that has a record";

  /** Schemas without a record, with the reason. */
  private static final Map<String, String> WITHOUT_RECORD =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("Ok", NOTHING),
              Map.entry("Credentials", ARGUMENTS),
              Map.entry("Refresh", ARGUMENTS),
              Map.entry("NewPassword", ARGUMENTS),
              Map.entry("BatchRequest", ARGUMENTS),
              Map.entry("DeviceRequest", PARTLY_ARGUMENTS),
              Map.entry("TokenRequest", PARTLY_ARGUMENTS),
              Map.entry("RevocationRequest", PARTLY_ARGUMENTS),
              Map.entry("OAuthProblem", "becomes a CairnException"),
              Map.entry("KeySet", DISCOVERY),
              Map.entry("ProtectedResource", DISCOVERY),
              Map.entry("AuthorizationServer", DISCOVERY),
              Map.entry("NewClient", DISCOVERY),
              Map.entry("Client", DISCOVERY),
              Map.entry("Start", PEOPLE),
              Map.entry("Health", OPERATORS),
              Map.entry("NewCronConfig", SAME),
              Map.entry("NewSpriteConfig", SAME)));

  /** The record of a schema that has the same members as another one. */
  private static final Map<String, String> RECORDS =
      Map.of("NewCronConfig", "CronConfig", "NewSpriteConfig", "SpriteConfig");

  /** Members that a record leaves out, because they are another spelling of one that it has. */
  private static final Map<String, Set<String>> OTHER_SPELLINGS =
      Map.of(
          "NewSubscription", Set.of("on", "filter", "url", "executor"),
          "SubscriptionChange", Set.of("on", "filter", "url", "executor"));

  /** Operations without a method, with the reason. */
  private static final Map<String, String> WITHOUT_METHOD =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("refresh", RENEWAL),
              Map.entry("getToken", RENEWAL),
              Map.entry("getStart", PEOPLE),
              Map.entry("getLlmsTxt", PEOPLE),
              Map.entry("getKeys", DISCOVERY),
              Map.entry("getAuthorizationServer", DISCOVERY),
              Map.entry("getProtectedResource", DISCOVERY),
              Map.entry("getMcpResource", DISCOVERY),
              Map.entry("getMcpResourceBeneath", DISCOVERY),
              Map.entry("registerClient", DISCOVERY),
              Map.entry("authorize", PEOPLE),
              Map.entry("decide", PEOPLE),
              Map.entry("showSignIn", PEOPLE),
              Map.entry("enterPassword", PEOPLE),
              Map.entry("signOut", PEOPLE),
              Map.entry("showDevice", PEOPLE),
              Map.entry("enterDeviceCode", PEOPLE),
              Map.entry("getComponentSchema", "for editors"),
              Map.entry("tick", OPERATORS),
              Map.entry("isLive", OPERATORS),
              Map.entry("isReady", OPERATORS),
              Map.entry("getMetrics", OPERATORS),
              Map.entry("getOpenApi", OPERATORS)));

  private static final ApiDocument DOCUMENT = ApiDocument.read();

  /** The name of the record that a schema has. */
  static String recordOf(String schema) {
    return RECORDS.getOrDefault(schema, schema);
  }

  @Test
  void every_record_has_the_members_of_its_schema() {
    var comparison = new RecordComparison(DOCUMENT);
    var without = new TreeSet<String>();
    DOCUMENT
        .objects()
        .forEach(
            (name, schema) -> {
              var type = ClientClasses.named(recordOf(name));
              if (type == null) {
                without.add(name);
              } else if (type.isRecord()) {
                comparison.compare(type, schema, leftOut(name, type));
              }
            });
    assertEquals(List.of(), comparison.differences());
    without.removeAll(WITHOUT_RECORD.keySet());
    assertEquals(Set.of(), without, "schemas without a record");
  }

  /** The member that says which variant it is comes from the type itself. */
  private static Set<String> leftOut(String schema, Class<?> type) {
    return Operation.class.isAssignableFrom(type)
        ? Set.of(Operation.class.getAnnotation(JsonTypeInfo.class).property())
        : OTHER_SPELLINGS.getOrDefault(schema, Set.of());
  }

  @Test
  void no_schema_with_a_record_is_listed_as_one_without() {
    var wrong =
        WITHOUT_RECORD.keySet().stream()
            .filter(name -> !RECORDS.containsKey(name))
            .filter(
                name -> {
                  var type = ClientClasses.named(name);
                  return (type != null && type.isRecord()) || !DOCUMENT.objects().containsKey(name);
                })
            .toList();
    assertEquals(List.of(), wrong);
  }

  @Test
  void operations_have_the_variants_of_their_schema() {
    var mapping = new TreeMap<String, String>();
    DOCUMENT
        .schema("Operation")
        .at("/discriminator/mapping")
        .properties()
        .forEach(
            entry -> {
              var reference = entry.getValue().asText();
              mapping.put(entry.getKey(), reference.substring(reference.lastIndexOf('/') + 1));
            });
    assertEquals(mapping, variants(Operation.class));
    assertEquals("operation", Operation.class.getAnnotation(JsonTypeInfo.class).property());
  }

  @Test
  void results_of_operations_have_together_the_members_of_their_schema() {
    var schema = DOCUMENT.schema("OperationResult");
    var members = new TreeSet<String>(Set.of("status"));
    for (var variant : OperationResult.class.getPermittedSubclasses()) {
      Stream.of(variant.getRecordComponents()).map(RecordComparison::name).forEach(members::add);
    }
    var expected = new TreeSet<String>();
    schema.path("properties").fieldNames().forEachRemaining(expected::add);
    assertEquals(expected, members);
    var statuses = new TreeSet<String>();
    schema.at("/properties/status/enum").forEach(status -> statuses.add(status.asText()));
    assertEquals(statuses, variants(OperationResult.class).keySet());
    var comparison = new RecordComparison(DOCUMENT);
    comparison.compare(OperationResult.Failure.class, schema.at("/properties/error"), Set.of());
    assertEquals(List.of(), comparison.differences());
  }

  private static Map<String, String> variants(Class<?> type) {
    var variants = new TreeMap<String, String>();
    for (var variant : type.getAnnotation(JsonSubTypes.class).value()) {
      variants.put(variant.name(), variant.value().getSimpleName());
    }
    return variants;
  }

  @Test
  void every_operation_has_a_method_of_its_name() {
    var methods = new TreeSet<String>();
    for (var type : ClientClasses.all()) {
      if (Modifier.isPublic(type.getModifiers()) && type.getSimpleName().endsWith("Client")) {
        Stream.of(type.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .map(Method::getName)
            .forEach(methods::add);
      }
    }
    var missing = new ArrayList<String>();
    DOCUMENT
        .operations()
        .forEach(
            (id, route) -> {
              if (methods.contains(methodOf(id)) == WITHOUT_METHOD.containsKey(id)) {
                missing.add(id + ": " + route);
              }
            });
    assertEquals(List.of(), missing);
  }

  /** The credential sets of organizations and of repositories have the same methods. */
  private static String methodOf(String operation) {
    return operation.replace("OrganizationCredentialSet", "CredentialSet");
  }

  @Test
  void every_error_code_is_a_constant() {
    var constants =
        Stream.of(ErrorCode.class.getFields())
            .map(Field::getName)
            .filter(name -> !name.equals(ErrorCode.UNEXPECTED_ANSWER))
            .collect(toCollection(TreeSet::new));
    assertEquals(DOCUMENT.errorCodes(), constants);
    assertTrue(constants.contains(ErrorCode.NOT_FOUND));
  }
}
