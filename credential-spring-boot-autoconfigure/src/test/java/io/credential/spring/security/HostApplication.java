package io.credential.spring.security;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import io.credential.spring.autoconfigure.security.ApiKeySecurityAutoConfiguration;
import io.credential.spring.autoconfigure.security.ScopeCheckAutoConfiguration;
import io.credential.spring.autoconfigure.web.TrustedArgumentsAutoConfiguration;
import io.credential.testing.Patience;

/** An application that uses the library, on a real Tomcat, and a client of it that follows no redirect. */
final class HostApplication implements AutoCloseable {

    private final ConfigurableApplicationContext context;
    private final HttpClient client;

    private HostApplication(ConfigurableApplicationContext context) {
        this.context = context;
        this.client = client();
    }

    static HostApplication start(Class<?> source, String... properties) {
        Map<String, Object> defaults = new HashMap<>(Map.of(
                "server.port", "0",
                "spring.main.banner-mode", "off",
                "credential.webhook.dispatcher.enabled", "false", // it would need a database
                "spring.security.user.name", "user",
                "spring.security.user.password", "password"));
        for (String property : properties) {
            int equals = property.indexOf('=');
            defaults.put(property.substring(0, equals), property.substring(equals + 1));
        }
        return new HostApplication(new SpringApplicationBuilder(source)
                .web(WebApplicationType.SERVLET)
                .properties(defaults)
                .run());
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    FakeRegistries registries() {
        return context.getBean(FakeRegistries.class);
    }

    /** A client that keeps its cookies, as a browser does. */
    static HttpClient browser() {
        return HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    }

    private static HttpClient client() {
        return HttpClient.newBuilder().connectTimeout(Patience.LIMIT).build();
    }

    HttpRequest.Builder request(String path) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(Patience.LIMIT);
    }

    HttpResponse<String> get(String path, String... headers) {
        return send(withHeaders(request(path), headers));
    }

    HttpResponse<String> post(String path, String... headers) {
        return send(withHeaders(request(path).POST(HttpRequest.BodyPublishers.noBody()), headers));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        return send(client, request);
    }

    static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("No answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("No answer", e);
        }
    }

    private static HttpRequest.Builder withHeaders(HttpRequest.Builder request, String... headers) {
        return headers.length == 0 ? request : request.headers(headers);
    }

    @Override
    public void close() {
        context.close();
    }

    /** What {@code spring-boot-starter-webmvc}, {@code -security} and this module bring. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ImportAutoConfiguration({
        PropertyPlaceholderAutoConfiguration.class,
        AopAutoConfiguration.class,
        TomcatServletWebServerAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        ErrorMvcAutoConfiguration.class,
        HttpMessageConvertersAutoConfiguration.class,
        JacksonAutoConfiguration.class,
        SecurityAutoConfiguration.class,
        UserDetailsServiceAutoConfiguration.class,
        ServletWebSecurityAutoConfiguration.class,
        SecurityFilterAutoConfiguration.class,
        ApiKeySecurityAutoConfiguration.class,
        ScopeCheckAutoConfiguration.class,
        TrustedArgumentsAutoConfiguration.class
    })
    @interface Starters {}
}
