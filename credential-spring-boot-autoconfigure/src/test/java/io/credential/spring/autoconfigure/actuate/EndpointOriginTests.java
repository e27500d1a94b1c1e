package io.credential.spring.autoconfigure.actuate;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.credential.spring.autoconfigure.actuate.WebhookViews.EndpointView;

import static org.assertj.core.api.Assertions.assertThat;

/** What Actuator shows of the URL of an endpoint: its path may hold a secret. */
class EndpointOriginTests {

    @ParameterizedTest
    @CsvSource({
        "https://hooks.example/a?token=b#c, https://hooks.example",
        "http://[::1]:9000/, http://[::1]:9000",
        "http://my_hook.example:8080/a, http://my_hook.example:8080",
        "http://user:secret@hooks.example/, http://hooks.example",
        "https://hooks.example/{, malformed"
    })
    void originThenHasNoPath(String url, String origin) {
        assertThat(EndpointView.origin(url)).isEqualTo(origin);
    }
}
