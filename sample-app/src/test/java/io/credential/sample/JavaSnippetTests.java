package io.credential.sample;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.sample.Snippet.Treatment;

/** The Java examples of the pages compile. */
class JavaSnippetTests {

    /** What the examples refer to. A nested type hides the one of the sample with the same name. */
    private static final String CONTEXT = """
            package io.credential.sample;

            import java.math.BigDecimal;
            import java.net.*;
            import java.nio.file.*;
            import java.nio.file.attribute.*;
            import java.time.*;
            import java.util.*;

            import org.jspecify.annotations.Nullable;
            import org.junit.jupiter.api.AutoClose;
            import org.junit.jupiter.api.Test;
            import org.springframework.beans.factory.annotation.Autowired;
            import org.springframework.boot.ApplicationRunner;
            import org.springframework.boot.test.context.SpringBootTest;
            import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
            import org.springframework.context.annotation.Bean;
            import org.springframework.context.event.EventListener;
            import org.springframework.http.HttpMethod;
            import org.springframework.security.config.Customizer;
            import org.springframework.security.config.annotation.web.builders.HttpSecurity;
            import org.springframework.security.config.annotation.web.configurers.*;
            import org.springframework.security.config.http.SessionCreationPolicy;
            import org.springframework.security.web.SecurityFilterChain;
            import org.springframework.stereotype.Component;
            import org.springframework.test.web.servlet.assertj.MockMvcTester;
            import org.springframework.transaction.annotation.Transactional;
            import org.springframework.transaction.event.TransactionalEventListener;
            import org.springframework.web.bind.annotation.*;
            import org.springframework.web.client.RestClient;

            import io.credential.apikey.*;
            import io.credential.ratelimit.*;
            import io.credential.spring.autoconfigure.actuate.*;
            import io.credential.spring.autoconfigure.apikeys.*;
            import io.credential.spring.autoconfigure.cluster.*;
            import io.credential.spring.autoconfigure.event.*;
            import io.credential.spring.security.*;
            import io.credential.spring.test.*;
            import io.credential.spring.test.WebhookReceiver.Answer;
            import io.credential.spring.test.autoconfigure.*;
            import io.credential.spring.webhook.*;
            import io.credential.webhook.delivery.*;
            import io.credential.webhook.event.*;
            import io.credential.webhook.http.*;
            import io.credential.webhook.inbox.*;
            import io.credential.webhook.signature.*;

            import static io.credential.spring.test.CredentialRequestPostProcessors.*;
            import static org.assertj.core.api.Assertions.assertThat;

            abstract class Example {
                record Order(String customerId) {}
                record NewOrder() {}
                record OrderCreated() {}
                record StripeEvent(String id, String customer) {}
                record Subscriber(String id, String url, String secret, String customerId) {}

                interface Orders {
                    List<Order> findByCustomerId(String customerId);
                    Order save(NewOrder order);
                    void create(OrderCreated event);
                }

                interface Events {
                    void processOnce(String id);
                }

                interface Credits {
                    void grant(String customer);
                }

                interface Builds {
                    void start(String push);
                }

                interface SecretStore {
                    void put(String owner, String token);
                }

                interface Subscribers {
                    List<Subscriber> findAll();
                    List<Subscriber> findNotMoved();
                    void markMoved(Subscriber subscriber);
                }

                interface Outbox {
                    void add(Subscriber subscriber, String json);
                }

                WebhookInbox inbox;
                Credits credits;
                ApiKeyRegistries registries;
                ApiKeyRegistry registry;
                ApiKeyRateLimits rateLimits;
                RateLimiter rateLimiter;
                ApiKey key;
                WebhookDispatcher dispatcher;
                WebhookSigners signers;
                WebhookSender sender;
                HttpSecurity http;
                MockMvcTester mvc;
                WebhookReceiver receiver;
                Orders orders;
                Events events;
                Builds builds;
                Subscribers subscribers;
                Outbox outbox;
                RestClient rest;
                String id, deliveryId, url, secret, token;
                byte[] body;

                Example() throws Exception {}

                abstract String hmac(byte[] body, String secret);
                abstract String json(Order order);

            """;

    /** Opens each jar of the class path once for all snippets. */
    @AutoClose
    private static final SnippetCompiler COMPILER = new SnippetCompiler();

    @TempDir
    Path directory;

    static Stream<Snippet> java() {
        return Snippet.all(Treatment.JAVA);
    }

    @ParameterizedTest
    @MethodSource("java")
    void javaThenCompiles(Snippet snippet) {
        COMPILER.compile(
                snippet.toString(),
                snippet.isWhole() ? Snippet.whole(snippet.page()) : List.of(CONTEXT + members(snippet.text()) + "}"),
                directory);
    }

    /** What does not begin with an annotation is statements; an expression may lack its semicolon. */
    private static String members(String text) {
        return Stream.of(text.replace("{ … }", "{ return null; }").split("\n\n", -1))
                .map(paragraph -> paragraph.startsWith("@") ? paragraph : "{\n" + paragraph + "\n;}\n")
                .collect(Collectors.joining("\n"));
    }
}
