package io.credential.spring.security;

import java.lang.reflect.Type;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.security.authorization.AuthorizationEventPublisher;
import org.springframework.security.authorization.SpringAuthorizationEventPublisher;
import org.springframework.security.authorization.event.AuthorizationDeniedEvent;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** Whoever lacks the scope of a controller can neither have a body read nor learn what is wrong with one. */
class ScopeBeforeBodyTests {

    private static HostApplication application;

    @BeforeAll
    static void start() {
        application = HostApplication.start(Host.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void forget() {
        application.context().getBean(Host.class).denials.clear();
        application.context().getBean(BodiesRead.class).count.set(0);
    }

    private static HttpResponse<String> post(String path, String body) {
        return application.send(application
                .request(path)
                .header("X-API-Key", token("live"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    @Test
    void bodyWhenScopeIsMissingThenUnreadAndOneDenialEvent() {
        application.registries().issue("live", "orders:read");

        HttpResponse<String> response = post("/typed", "{ this is no JSON");

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("\"missingScopes\":[\"orders:write\"]");
        assertThat(application.context().getBean(BodiesRead.class).count).hasValue(0);
        assertThat(application.context().getBean(Host.class).denials).hasSize(1);
    }

    @Test
    void bodyWhenScopeIsHeldThenReadAndJudged() {
        application.registries().issue("live", "orders:write");

        assertThat(post("/typed", "{ this is no JSON").statusCode()).isEqualTo(400);
        assertThat(post("/typed", "{\"a\":\"b\"}").body()).isEqualTo("1 members");
        assertThat(application.context().getBean(BodiesRead.class).count).hasValue(2);
    }

    @Test
    void requestWhenScopeOfTheClassIsMissingThenForbidden() {
        application.registries().issue("live", "orders:write");

        HttpResponse<String> response = post("/classwide", "{ this is no JSON");

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("\"missingScopes\":[\"admin\"]");
    }

    @Test
    void asynchronousResultThenIsDelivered() {
        application.registries().issue("live", "orders:write");

        assertThat(post("/later", "{\"a\":\"b\"}").body()).isEqualTo("1 members");
    }

    @RestController
    static class TypedController {

        @PostMapping("/typed")
        @RequiresScope("orders:write")
        String typed(@RequestBody Map<String, String> body) {
            return body.size() + " members";
        }

        @PostMapping("/later")
        @RequiresScope("orders:write")
        Callable<String> later(@RequestBody Map<String, String> body) {
            return () -> body.size() + " members";
        }
    }

    @RestController
    @RequiresScope("admin")
    static class ClassWideController {

        @PostMapping("/classwide")
        String typed(@RequestBody Map<String, String> body) {
            return body.size() + " members";
        }
    }

    /** Told whenever Spring MVC is about to read a body. */
    @ControllerAdvice
    static class BodiesRead extends RequestBodyAdviceAdapter {

        private final AtomicInteger count = new AtomicInteger();

        @Override
        public boolean supports(
                MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter) {
            return true;
        }

        @Override
        public HttpInputMessage beforeBodyRead(
                HttpInputMessage message,
                MethodParameter parameter,
                Type type,
                Class<? extends HttpMessageConverter<?>> converter) {
            count.incrementAndGet();
            return message;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import({TypedController.class, ClassWideController.class, BodiesRead.class})
    static class Host {

        private final List<AuthorizationDeniedEvent<?>> denials = new CopyOnWriteArrayList<>();

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @Bean
        AuthorizationEventPublisher authorizationEvents(ApplicationEventPublisher events) {
            return new SpringAuthorizationEventPublisher(events);
        }

        @EventListener
        void record(AuthorizationDeniedEvent<?> event) {
            denials.add(event);
        }
    }
}
