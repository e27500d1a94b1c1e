package io.credential.spring.console.page;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.auditlog.AuditLog;
import io.credential.auditlog.AuditQuery;
import io.credential.auditlog.StoredAuditEvent;
import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleHandlerMapping;
import io.credential.spring.console.internal.web.ConsoleHandlerMapping.Target;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** Who may send what to the console, for every route that it has. */
@PageTest
class ActionRouteTests {

    private final MockMvc mvc;
    private final ConsoleHandlerMapping mapping;
    private final WebhookDispatcher dispatcher;
    private final AuditLog log;
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final Map<String, String> values = new HashMap<>();

    ActionRouteTests(
            @Autowired MockMvc mvc,
            @Autowired ApplicationContext context,
            @Autowired WebhookDispatcher dispatcher,
            @Autowired ApiKeyRegistries registries,
            @Autowired AuditLog log,
            @Autowired DataSource dataSource,
            @Autowired TransactionTemplate transactions) {
        this.mvc = mvc;
        this.mapping = context.getBean(ConsoleHandlerMapping.class); // which no bean may be given
        this.dispatcher = dispatcher;
        this.log = log;
        this.jdbc = JdbcClient.create(dataSource);
        this.transactions = transactions;
        WebhookData data = WebhookData.cleared(dispatcher, dataSource);
        data.register("shop", "/fails");
        data.register("paused", "/accepts");
        dispatcher.pauseEndpoint("paused");
        ApiKeyRegistry live = registries.get("live");
        String disabled = live.issue(IssueRequest.forOwner("routes")).id();
        live.disable(disabled);
        values.put("delivery", data.send("shop", "order.created").deliveryId());
        values.put("key", live.issue(IssueRequest.forOwner("routes")).id());
        values.put("disabled", disabled);
        values.put("form", "A".repeat(22));
    }

    @Test
    void actionsThenAreThoseOfTheMapping() {
        assertThat(patterns(HttpMethod.POST))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ConsoleAction.values())
                        .map(action -> "/credential/" + action.pattern)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void actionWhenItsAuthorityIsMissingThenForbidden(ConsoleAction action) {
        Set<Access> others = EnumSet.complementOf(EnumSet.of(action.access));

        assertDoesNothing(action, others, "CREDENTIAL_" + action.access);
    }

    /** Other authorities do not include that to see the console. */
    @ParameterizedTest
    @EnumSource
    void actionWhenViewIsMissingThenForbidden(ConsoleAction action) {
        Set<Access> others = EnumSet.complementOf(EnumSet.of(Access.VIEW));

        assertDoesNothing(action, others, "CREDENTIAL_VIEW");
    }

    /** The same requests as above, which could otherwise be refused for another reason. */
    @ParameterizedTest
    @EnumSource
    void actionWhenPermittedThenIsAudited(ConsoleAction action) {
        String actor = "with " + action;

        withJob(action, () -> {
            ConsoleVisitor.Answer answer = send(visitor(actor, EnumSet.allOf(Access.class)), action);

            assertThat(answer.status()).as(answer.text()).isIn(200, 303);
            assertThat(answer.cacheControl()).isEqualTo("no-store");
            if (answer.status() == 303) {
                assertThat(answer.location()).matches("(\\./|(\\.\\./)+)[a-z][a-z/0-9.?=&-]*");
            }
            if (action != ConsoleAction.SEARCH_KEYS && action != ConsoleAction.CANCEL) { // audited after the commit
                Patience.untilAsserted(() -> assertThat(auditedBy(actor)).isNotEmpty());
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void actionWhenGotThenDoesNothing(ConsoleAction action) {
        String actor = "getting " + action;
        boolean hasForm = patterns(HttpMethod.GET).contains("/credential/" + action.pattern);

        withJob(action, () -> {
            ConsoleVisitor visitor = visitor(actor, EnumSet.allOf(Access.class));
            String path = filled(action.path);
            Map<String, List<String>> before = stored();

            ConsoleVisitor.Answer answer = visitor.open(path);

            assertThat(answer.status()).isIn(hasForm ? List.of(200) : List.of(404, 405));
            assertThat(changedSince(before)).isEmpty();
            assertThat(auditedBy(actor)).isEmpty();
        });
    }

    private void assertDoesNothing(ConsoleAction action, Set<Access> access, String missing) {
        String actor = "without " + missing + " " + action;
        withJob(action, () -> {
            filled("{version}"); // which is read before
            Map<String, List<String>> before = stored();

            ConsoleVisitor.Answer answer = send(visitor(actor, access), action);

            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.text()).contains("This needs the authority " + missing + ", which you do not have.");
            assertThat(answer.cacheControl()).isEqualTo("no-store");
            assertThat(changedSince(before)).isEmpty();
            assertThat(auditedBy(actor)).isEmpty();
        });
    }

    /** In a transaction, a job that the background does not see waits to be cancelled. */
    private void withJob(ConsoleAction action, Runnable check) {
        if (action == ConsoleAction.CANCEL) {
            transactions.executeWithoutResult(transaction -> {
                values.put(
                        "job",
                        dispatcher
                                .deliveries()
                                .retryAll(DeliveryQuery.all().withEndpoint("shop"))
                                .id());
                check.run();
                transaction.setRollbackOnly();
            });
        } else {
            check.run();
        }
    }

    private ConsoleVisitor visitor(String name, Set<Access> access) {
        return ConsoleVisitor.with(mvc, name, access);
    }

    private ConsoleVisitor.Answer send(ConsoleVisitor visitor, ConsoleAction action) {
        String[] fields = Pattern.compile("[&=]")
                .splitAsStream(action.form)
                .filter(part -> !part.isEmpty())
                .map(this::filled)
                .toArray(String[]::new);
        return visitor.send(filled(action.path), fields);
    }

    private String filled(String text) {
        String filled = text;
        for (Map.Entry<String, String> value : values.entrySet()) {
            filled = filled.replace("{" + value.getKey() + "}", value.getValue());
        }
        return filled.equals("{version}")
                ? ConsoleVisitor.admin(mvc).hiddenField("endpoints/shop/edit", "version")
                : filled;
    }

    private List<String> patterns(HttpMethod method) {
        return mapping.targets().stream()
                .filter(target -> target.method().equals(method))
                .map(Target::pattern)
                .toList();
    }

    private List<StoredAuditEvent> auditedBy(String actor) {
        return log.search(AuditQuery.all().withActor(actor)).entries();
    }

    /** Returns all rows by their tables, without those that the background writes. */
    private Map<String, List<String>> stored() {
        Map<String, List<String>> rows = new TreeMap<>();
        jdbc.sql("""
                SELECT name FROM sqlite_master
                WHERE type = 'table' AND name NOT LIKE '%audit%'
                    AND name NOT IN ('_credential_api_key_totals', '_credential_leases',
                        '_credential_webhook_hourly_counts', '_credential_webhook_last_outcomes')""")
                .query(String.class)
                .list()
                .forEach(table -> rows.put(
                        table,
                        jdbc.sql("SELECT * FROM " + table).query().listOfRows().stream()
                                .map(ActionRouteTests::text)
                                .sorted()
                                .toList()));
        return rows;
    }

    private List<String> changedSince(Map<String, List<String>> before) {
        return stored().entrySet().stream()
                .filter(table -> !table.getValue().equals(before.get(table.getKey())))
                .map(table -> table.getKey() + " " + table.getValue())
                .toList();
    }

    private static String text(Map<String, Object> row) {
        Map<String, Object> texts = new TreeMap<>(row);
        texts.replaceAll((column, value) ->
                value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value);
        return texts.toString();
    }
}
