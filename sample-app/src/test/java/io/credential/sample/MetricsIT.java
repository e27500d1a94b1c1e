package io.credential.sample;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.testing.DocTable;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/** Compares what Prometheus scrapes with {@code docs/monitoring.md}, the dashboard and the alerting rules. */
@TestInstance(Lifecycle.PER_CLASS)
class MetricsIT {

    /** {@link ClusterSampleIT} scrapes it. */
    static final String CACHE_INVALIDATION = "credential_api_keys_cache_invalidation_delay_seconds";

    /** In the docs, but not in the scrape of a single node. */
    private static final Set<String> OF_A_CLUSTER = Set.of(CACHE_INVALIDATION, "credential_notifications_queued");

    /** Prometheus adds them to what it scrapes. */
    private static final Set<String> OF_THE_TARGET = Set.of("job", "instance");

    /** Outcomes that nothing here causes. */
    private static final Set<String> OTHER_OUTCOMES = Set.of("dead", "error");

    private static final Pattern FAMILY = Pattern.compile("^# TYPE (credential_\\w+) ", Pattern.MULTILINE);
    private static final Pattern SAMPLE = Pattern.compile("^(credential_\\w+)", Pattern.MULTILINE);
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
    private static final Pattern USED = Pattern.compile("\\bcredential_\\w+");
    private static final Pattern SELECTOR = Pattern.compile("\\b(credential_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*[=!]~?\\s*\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("\\bby \\(([^)]*)\\)");
    private static final Pattern SHOWN = Pattern.compile("\\{\\{ ?(?:\\$labels\\.)?(\\w+) ?}}");

    private Sample sample;
    private Api operator;
    private Api admin;
    private String keyId;

    @BeforeAll
    void startAndWork(@TempDir Path directory) {
        sample = Sample.startIn(
                directory,
                Map.of(
                        "credential.webhook.dispatcher.allow-internal-destinations",
                        "true",
                        "credential.webhook.inbox.enabled",
                        "true"));
        operator = sample.api().with(issue("actuator:read"));
        admin = sample.api().with(issue("webhooks:admin"));
        register("works", "/hooks/partner");
        register("fails", "/nowhere");
        admin.post("/events/order.paid", Map.of("item", "kettle"));
        admin.post("/deliveries/process-retries");
        sample.api().with("bk_live_0123456789abcdef_" + "0".repeat(32)).get("/whoami");
        Patience.until(() -> scrape().contains("credential_webhook_deliveries{status=\"pending\"} 1.0"));
        keyId = sample.bean(ApiKeyRegistry.class)
                .listForOwner("operator")
                .get(0)
                .id();
    }

    @AfterAll
    void stop() {
        sample.close();
    }

    @Test
    void tableThenListsEveryMetric() {
        Set<String> metrics = matches(FAMILY, scrape()).stream()
                .map(family -> family.replaceFirst("(_max|_active_seconds|_active_seconds_max)$", ""))
                .map(family -> family.endsWith("_active") ? family.replaceFirst("_active$", "_seconds") : family)
                .collect(Collectors.toCollection(TreeSet::new));
        metrics.removeIf(name -> metrics.contains(name + "_seconds"));
        metrics.addAll(OF_A_CLUSTER);

        DocTable.read("monitoring.md", "metric").assertListsExactly(metrics);
    }

    @ParameterizedTest
    @ValueSource(strings = {"grafana.json", "prometheus-rules.yml"})
    void fileThenEveryMetricIsScraped(String file) {
        Set<String> used = matches(USED, Snippet.read(Path.of("../docs/monitoring", file)));

        used.remove(CACHE_INVALIDATION + "_max");

        assertThat(used).isNotEmpty();
        assertThat(matches(SAMPLE, scrape())).containsAll(used);
    }

    @ParameterizedTest
    @ValueSource(strings = {"grafana.json", "prometheus-rules.yml"})
    void fileThenEveryLabelIsScraped(String file) {
        Map<String, Map<String, Set<String>>> scraped = scrapedLabels();
        List<Map<?, ?>> queries = queries(new Yaml().load(Snippet.read(Path.of("../docs/monitoring", file))));

        assertThat(queries).isNotEmpty().allSatisfy(query -> {
            String expression = String.valueOf(query.get("expr"));
            Set<String> grouped = GROUPING.matcher(expression)
                    .results()
                    .flatMap(grouping -> Stream.of(grouping.group(1).split(", ")))
                    .collect(Collectors.toSet());
            SELECTOR.matcher(expression).results().forEach(selector -> {
                Map<String, Set<String>> labels = scraped.getOrDefault(selector.group(1), Map.of());
                Set<String> known = new HashSet<>(labels.keySet());
                known.addAll(OF_THE_TARGET);
                assertThat(known).as(expression).containsAll(grouped);
                assertThat(grouped.isEmpty() ? known : grouped)
                        .as("%s", query)
                        .containsAll(SHOWN.matcher(query.toString())
                                .results()
                                .map(shown -> shown.group(1))
                                .toList());
                MATCHER.matcher(Objects.requireNonNullElse(selector.group(2), ""))
                        .results()
                        .forEach(matcher -> assertMatches(labels, known, matcher.group(1), matcher.group(2)));
            });
        });
    }

    private static void assertMatches(
            Map<String, Set<String>> labels, Set<String> known, String label, String alternatives) {
        assertThat(known).contains(label);
        if (OF_THE_TARGET.contains(label)) {
            return;
        }
        Set<String> values = new TreeSet<>(labels.get(label));
        if (label.equals("outcome")) {
            values.addAll(OTHER_OUTCOMES);
        } else if (label.equals("reason")) {
            values.addAll(
                    DocTable.read("audit-events.md", "reason").column("meaning").keySet());
        }
        assertThat(values).as("values of %s", label).contains(alternatives.split("\\|"));
    }

    /** Returns the panels' targets or the alerts: all objects with a query. */
    private static List<Map<?, ?>> queries(Object node) {
        if (node instanceof Map<?, ?> map) {
            return map.containsKey("expr")
                    ? List.of(map)
                    : map.values().stream()
                            .flatMap(child -> queries(child).stream())
                            .toList();
        }
        return node instanceof List<?> list
                ? list.stream().flatMap(child -> queries(child).stream()).toList()
                : List.of();
    }

    /** Returns the values of labels, by metric and label. */
    private Map<String, Map<String, Set<String>>> scrapedLabels() {
        Map<String, Map<String, Set<String>>> labels = new TreeMap<>();
        scrape().lines().filter(line -> line.startsWith("credential_")).forEach(line -> {
            Map<String, Set<String>> ofMetric =
                    labels.computeIfAbsent(line.split("[{ ]", 2)[0], metric -> new TreeMap<>());
            LABEL.matcher(line)
                    .results()
                    .forEach(label -> ofMetric.computeIfAbsent(label.group(1), name -> new TreeSet<>())
                            .add(label.group(2)));
        });
        return labels;
    }

    @Test
    void scrapeThenNoLabelHasAnIdOrAUrl() {
        List<String> values = new ArrayList<>();
        scrape().lines()
                .filter(line -> line.startsWith("credential_"))
                .forEach(line -> LABEL.matcher(line).results().forEach(label -> values.add(label.group(2))));

        assertThat(values)
                .isNotEmpty()
                .doesNotContain("works", "fails", "order.paid")
                .noneMatch(
                        value -> value.contains(keyId) || value.contains("0123456789abcdef") || value.contains("//"));
    }

    @Test
    void scrapeThenShowsWhatHappened() {
        assertThat(scrape())
                .contains("credential_leader 1.0")
                .containsPattern("credential_apikey_verify_seconds_count\\{.*namespace=\"live\",outcome=\"accepted\"")
                .containsPattern("credential_apikey_verify_seconds_count\\{.*reason=\"unknown\"")
                .containsPattern(
                        "credential_webhook_verify_seconds_count\\{.*outcome=\"accepted\".*verifier=\"partner\"")
                .containsPattern("credential_webhook_attempt_seconds_count\\{.*outcome=\"delivered\"")
                .containsPattern("credential_webhook_attempt_seconds_count\\{.*outcome=\"failed\".*status=\"4xx\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"prometheus", "scheduledtasks", "credentials", "webhooks"})
    void endpointThenNeedsTheScope(String endpoint) {
        assertThat(sample.api().get("/actuator/" + endpoint).status()).isEqualTo(401);
        assertThat(admin.get("/actuator/" + endpoint).status()).isEqualTo(403);
        assertThat(operator.get("/actuator/" + endpoint).status()).isEqualTo(200);
    }

    @Test
    void healthThenStatusForAllAndDetailsForOperators() {
        assertThat(sample.api()
                        .get("/actuator/health")
                        .json()
                        .required("status")
                        .asString())
                .isEqualTo("UP");
        assertThat(sample.api().get("/actuator/health").body()).doesNotContain("credential");
        assertThat(operator.get("/actuator/health")
                        .json()
                        .at("/components/credential/components/dispatcher/status")
                        .asString())
                .isEqualTo("UP");
    }

    @ParameterizedTest
    @ValueSource(strings = {"liveness", "readiness"})
    void groupThenDoesNotDependOnTheBacklog(String group) {
        assertThat(operator.get("/actuator/health/" + group).status()).isEqualTo(200);
        assertThat(operator.get("/actuator/health/" + group).body()).doesNotContain("credential");
    }

    private String scrape() {
        return operator.get("/actuator/prometheus").body();
    }

    private String issue(String scope) {
        return sample.bean(ApiKeyRegistry.class)
                .issue(IssueRequest.forOwner("operator").scopes(scope))
                .key();
    }

    private void register(String endpointId, String path) {
        int port = sample.port();
        assertThat(admin.post(
                                "/endpoints",
                                Map.of(
                                        "endpointId",
                                        endpointId,
                                        "url",
                                        "http://localhost:" + port + path,
                                        "eventTypes",
                                        List.of("*"),
                                        "secret",
                                        "development-only-partner-secret"))
                        .status())
                .isEqualTo(201);
    }

    private static Set<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(MatchResult::group)
                .map(match -> match.replace("# TYPE ", "").strip())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
