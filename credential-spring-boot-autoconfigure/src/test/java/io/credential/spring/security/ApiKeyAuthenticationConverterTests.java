package io.credential.spring.security;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ApiKeyAuthenticationConverterTests {

    private final ApiKeyAuthenticationConverter converter =
            new ApiKeyAuthenticationConverter("X-API-Key", request -> false);
    private final MockHttpServletRequest request = new MockHttpServletRequest();

    @ParameterizedTest
    @ValueSource(strings = {"Bearer abc", "Basic abc", "ApiKeys abc", "Api", ""})
    void convertWhenThereIsNoKeyThenNull(String authorization) {
        request.addHeader("Authorization", authorization);

        assertThat(converter.convert(request)).isNull();
        assertThat(converter.carriesKey(request)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ApiKey abc", "apikey   abc", "APIKEY\tabc "})
    void convertWhenTheSchemeIsOursThenTheToken(String authorization) {
        request.addHeader("Authorization", authorization);
        request.setRemoteAddr("10.0.0.1");

        assertThat(converter.carriesKey(request)).isTrue();
        assertThat(converter.convert(request)).isNotNull().satisfies(presented -> {
            assertThat(presented.getCredentials()).isEqualTo("abc");
            assertThat(presented.getDetails())
                    .isInstanceOfSatisfying(
                            WebAuthenticationDetails.class,
                            details -> assertThat(details.getRemoteAddress()).isEqualTo("10.0.0.1"));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"ApiKey", "ApiKey "})
    void convertWhenTheSchemeIsOursWithoutTokenThenNotNull(String authorization) {
        request.addHeader("Authorization", authorization);

        assertThat(converter.carriesKey(request)).isTrue();
        assertThat(converter.convert(request)).isNotNull();
    }

    @Test
    void convertWhenTheTokenIsAsLongAsAllowedThenTheToken() {
        request.addHeader("Authorization", "ApiKey " + "x".repeat(512));

        assertThat(converter.convert(request)).isNotNull();
    }

    @Test
    void convertWhenTheTokenIsTooLongThenRefused() {
        request.addHeader("X-API-Key", "x".repeat(514));

        assertThatExceptionOfType(BadCredentialsException.class)
                .isThrownBy(() -> converter.convert(request))
                .withMessage("The API key is too long");
    }

    @Test
    void convertThenStartsNoSession() {
        request.addHeader("X-API-Key", "abc");

        assertThat(converter.convert(request)).isNotNull();
        assertThat(request.getSession(false)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Authorization", "authorization", "Proxy-Authorization", "Cookie", "", "X API", "X-Key:"})
    void headerNameWhenItCannotCarryKeysThenRefused(String headerName) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ApiKeyAuthenticationConverter(headerName, request -> false));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ApiKeyConfigurer.apiKeys().headerName(headerName));
    }

    @Test
    void headerNameThenMayBeAsLongAsThePropertyAllows() {
        assertThatNoException().isThrownBy(() -> new ApiKeyAuthenticationConverter("X".repeat(128), request -> false));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ApiKeyAuthenticationConverter("X".repeat(129), request -> false));
    }
}
