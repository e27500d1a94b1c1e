package io.credential.spring.security;

import java.net.http.HttpResponse;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** All that the starters bring, Actuator with its own chain included. */
class ActuatorTests {

    private static HostApplication application;

    @BeforeAll
    static void start() {
        application = HostApplication.start(Host.class, "management.endpoints.web.exposure.include=health,info");
        application.registries().issue("live", "orders:read");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void healthStaysOpenWithoutKey() {
        HttpResponse<String> response = application.get("/actuator/health");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("UP");
    }

    @Test
    void theOtherEndpointsStayClosedAndTheirChallengeIsAsBefore() {
        HttpResponse<String> response = application.get("/actuator/info", "Accept", "application/json");

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().allValues("WWW-Authenticate"))
                .singleElement()
                .asString()
                .startsWith("Basic");
    }

    @Test
    void keysWorkOutsideAndInside() {
        assertThat(application.get("/orders", "X-API-Key", token("live")).statusCode())
                .isEqualTo(200);
        assertThat(application.get("/actuator/info", "X-API-Key", token("live")).statusCode())
                .isEqualTo(200);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {
                DataSourceAutoConfiguration.class,
                HibernateJpaAutoConfiguration.class,
                DataJpaRepositoriesAutoConfiguration.class,
                FlywayAutoConfiguration.class
            })
    @Import(OrdersController.class)
    static class Host {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }
    }
}
