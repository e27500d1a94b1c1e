package io.credential.spring.webhook;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.web.filter.ForwardedHeaderFilter;

import io.credential.spring.webhook.internal.WebhookSignatureFilter;
import io.credential.testing.CapturedLog;
import io.credential.testing.Patience;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Any client can send a path that cannot be decoded, to any URL: no error of the application, and no flood of its log. */
class MalformedPathTests {

    @ParameterizedTest
    @ValueSource(strings = {"GET /page;a=%zz HTTP/1.1", "GET /page HTTP/1.1\r\nX-Forwarded-Prefix: prefix"})
    void requestWhenPathIsMalformedThenRefusedQuietly(String start) throws IOException {
        try (WebhookHost host = WebhookHost.start(Application.class);
                Socket client = new Socket(
                        InetAddress.getLoopbackAddress(), host.uri("/").getPort());
                CapturedLog log = CapturedLog.of(WebhookSignatureFilter.class)) {
            client.setSoTimeout(Math.toIntExact(Patience.LIMIT.toMillis()));
            client.getOutputStream()
                    .write((start + "\r\nHost: localhost\r\nConnection: close\r\n\r\n").getBytes(US_ASCII));

            String answer = new String(client.getInputStream().readAllBytes(), UTF_8);

            assertThat(answer).startsWith("HTTP/1.1 400").contains("\"code\":\"webhook/malformed-path\"");
            assertThat(log.events()).isEmpty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(HookController.class)
    static class Application {

        @Bean
        FilterRegistrationBean<ForwardedHeaderFilter> forwardedHeaders() {
            FilterRegistrationBean<ForwardedHeaderFilter> registration =
                    new FilterRegistrationBean<>(new ForwardedHeaderFilter());
            registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return registration;
        }
    }
}
