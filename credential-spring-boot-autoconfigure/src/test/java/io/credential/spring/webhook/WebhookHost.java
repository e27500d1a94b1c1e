package io.credential.spring.webhook;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.HttpEncodingAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.web.TrustedArgumentsAutoConfiguration;
import io.credential.spring.autoconfigure.webhook.WebhookAutoConfiguration;
import io.credential.testing.Patience;

/** An application that takes webhooks in, on a real server, and a client of it. */
public final class WebhookHost implements AutoCloseable {

    public static final String SECRET = "a secret of the tests, long enough";

    private final ConfigurableApplicationContext context;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private WebhookHost(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** One with the webhook {@code partner} under {@code /hooks/partner/**}. */
    public static WebhookHost start(Class<?> source, String... properties) {
        Map<String, Object> all = new HashMap<>(Map.of(
                "server.port", "0",
                "spring.main.banner-mode", "off",
                "spring.security.user.name", "user",
                "spring.security.user.password", "password",
                "credential.webhook.inbound.partner.paths", "/hooks/partner/**",
                "credential.webhook.inbound.partner.keys.v1", SECRET));
        for (String property : properties) {
            int equals = property.indexOf('=');
            all.put(property.substring(0, equals), property.substring(equals + 1));
        }
        return new WebhookHost(new SpringApplicationBuilder(source)
                .web(WebApplicationType.SERVLET)
                .properties(all)
                .run());
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    public HttpRequest.Builder post(String path, byte[] body) {
        return HttpRequest.newBuilder(uri(path)).timeout(Patience.LIMIT).POST(BodyPublishers.ofByteArray(body));
    }

    public URI uri(String path) {
        return URI.create(
                "http://localhost:" + context.getEnvironment().getRequiredProperty("local.server.port") + path);
    }

    public HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("No answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("No answer", e);
        }
    }

    @Override
    public void close() {
        context.close();
    }

    /** What {@code spring-boot-starter-webmvc} and this module bring. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @Starters
    @ImportAutoConfiguration(TomcatServletWebServerAutoConfiguration.class)
    public @interface OnTomcat {}

    /** The same with Jetty. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @Starters
    @ImportAutoConfiguration(JettyServletWebServerAutoConfiguration.class)
    @interface OnJetty {}

    /** The same without a server. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ImportAutoConfiguration({
        PropertyPlaceholderAutoConfiguration.class,
        HttpEncodingAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        ErrorMvcAutoConfiguration.class,
        HttpMessageConvertersAutoConfiguration.class,
        JacksonAutoConfiguration.class,
        CredentialAutoConfiguration.class,
        WebhookAutoConfiguration.class,
        TrustedArgumentsAutoConfiguration.class
    })
    @interface Starters {}

    /** What {@code spring-boot-starter-security} adds. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ImportAutoConfiguration({
        SecurityAutoConfiguration.class,
        UserDetailsServiceAutoConfiguration.class,
        ServletWebSecurityAutoConfiguration.class,
        SecurityFilterAutoConfiguration.class
    })
    @interface SecurityStarter {}
}
