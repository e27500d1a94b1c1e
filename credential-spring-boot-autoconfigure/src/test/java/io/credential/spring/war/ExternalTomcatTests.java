package io.credential.spring.war;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A WAR with the starter, Spring MVC and Actuator, and without Spring Boot's web server, in a Tomcat as it is
 * published, which has a JVM of its own. Nothing smaller shows what is missing there: only Tomcat's class loaders
 * separate the libraries of the server from those of the application, and only its scan finds the application.
 */
class ExternalTomcatTests {

    @TempDir
    static Path directory;

    private static ExternalTomcat tomcat;
    private static DeployedApi api;

    @BeforeAll
    static void deploy() throws IOException {
        tomcat = ExternalTomcat.start(directory);
        api = new DeployedApi(directory, tomcat.root() + "/shop");
        assertThat(directory.resolve("reader")).as(tomcat.log()).exists();
    }

    @AfterAll
    static void stop() throws IOException {
        tomcat.close();
    }

    @Test
    void keyWhenItHasTheScopeThenAccepted() throws Exception {
        HttpResponse<String> response = api.get("/orders", "reader");

        assertThat(response.statusCode()).as(tomcat.log()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("orders");
        assertThat(response.headers().allValues("Set-Cookie")).isEmpty();
    }

    @Test
    void keyWhenScopeIsMissingThenForbidden() throws Exception {
        HttpResponse<String> response = api.get("/orders", "other");

        assertThat(response.statusCode()).as(tomcat.log()).isEqualTo(403);
        assertThat(response.body()).contains("api-key/insufficient-scope", "orders:read");
    }

    @Test
    void requestWhenKeyIsMissingThenUnauthorized() throws Exception {
        assertThat(api.get("/orders").statusCode()).as(tomcat.log()).isEqualTo(401);
    }

    @Test
    void healthWhenDeployedThenUp() throws Exception {
        HttpResponse<String> response = api.get("/actuator/health");

        assertThat(response.statusCode()).as(tomcat.log()).isEqualTo(200);
        assertThat(response.body()).contains("UP");
    }

    @Test
    void keyWhenItCallsActuatorThenIgnored() throws Exception {
        assertThat(api.get("/actuator/metrics", "reader").statusCode())
                .as(tomcat.log())
                .isEqualTo(401);
    }
}
