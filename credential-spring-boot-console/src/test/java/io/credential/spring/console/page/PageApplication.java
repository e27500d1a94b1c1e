package io.credential.spring.console.page;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

import io.credential.spring.console.internal.endpoint.RemovedMeanwhileSection;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.testing.DatabaseKind;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;
import io.credential.webhook.event.WebhookEvent;
import io.credential.webhook.event.WebhookEventCatalog;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;

/** An application with a dispatcher. Receivers whose path begins with {@code /fails} answer with 500, others with 200. */
@SpringBootApplication(proxyBeanMethods = false)
class PageApplication {

    @Bean(destroyMethod = "close")
    TestDatabase testDatabase() {
        return TestDatabase.create(DatabaseKind.SQLITE);
    }

    @Bean
    RecordedStatements dataSource(TestDatabase database) {
        return new RecordedStatements(database.dataSource());
    }

    @Bean
    FreshOverview freshOverview(ObjectProvider<ConsoleSection> sections) {
        return new FreshOverview(sections);
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .formLogin(Customizer.withDefaults())
                .build();
    }

    @Bean
    RemovedMeanwhileSection removedMeanwhile(WebhookOperations operations, WebhookEventCatalog catalog) {
        return new RemovedMeanwhileSection(operations, catalog);
    }

    @Bean
    Receivers receivers() {
        return new Receivers();
    }

    /** Keeps the requests instead of sending them. */
    static final class Receivers implements WebhookTransport {

        final List<WebhookRequest> requests = new CopyOnWriteArrayList<>();

        @Override
        public CompletableFuture<WebhookResponse> send(WebhookRequest request) {
            requests.add(request);
            boolean fails = request.destination().uri().getPath().startsWith("/fails");
            return CompletableFuture.completedFuture(
                    fails
                            ? new WebhookResponse(
                                    500, "<b>sold out</b>", null, Map.of("x-queue", List.of("<i>full</i>")))
                            : new WebhookResponse(200, "", null));
        }

        WebhookRequest latest() {
            return requests.get(requests.size() - 1);
        }
    }

    /** An event type of the application. */
    @WebhookEvent(value = "order.created", description = "A customer has placed an <order>.")
    record OrderCreated(String orderId, long cents) {}
}
