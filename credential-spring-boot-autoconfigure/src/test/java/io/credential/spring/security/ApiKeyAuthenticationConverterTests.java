package io.credential.spring.security;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

import io.credential.spring.security.internal.KeySources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ApiKeyAuthenticationConverterTests {

    private final ApiKeyAuthenticationConverter converter =
            converter(new KeySources(List.of("X-API-Key"), false, null));
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
        assertThatIllegalArgumentException().isThrownBy(() -> new KeySources(List.of(headerName), false, null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ApiKeyConfigurer.apiKeys().headerName(headerName));
    }

    @Test
    void convertWhenKeyIsInAnyOfTheHeadersThenTheToken() {
        ApiKeyAuthenticationConverter several =
                converter(new KeySources(List.of("X-API-Key", "X-Legacy-Key"), false, null));
        request.addHeader("x-legacy-key", "abc");

        assertThat(several.carriesKey(request)).isTrue();
        assertThat(several.convert(request))
                .isNotNull()
                .satisfies(presented -> assertThat(presented.getCredentials()).isEqualTo("abc"));
        assertThat(converter.carriesKey(request)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "X-API-Key: abc, X-Legacy-Key: abc",
        "X-API-Key: abc, Authorization: ApiKey abc",
        "X-API-Key: abc, Authorization: Bearer abc",
        "Authorization: ApiKey abc, Authorization: Bearer abc",
        "Authorization: Bearer abc, Authorization: Bearer abc",
        "Authorization: Bearer abc, Authorization: Basic abc",
        "X-Legacy-Key: abc, X-Legacy-Key: abc"
    })
    void convertWhenThereAreTwoThenAmbiguous(String first, String second) {
        ApiKeyAuthenticationConverter all =
                converter(new KeySources(List.of("X-API-Key", "X-Legacy-Key"), true, "ticket"));
        List.of(first, second).forEach(line -> request.addHeader(line.split(": ", 2)[0], line.split(": ", 2)[1]));

        assertThatExceptionOfType(RefusedCredentialsException.class)
                .isThrownBy(() -> all.convert(request))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo("ambiguous"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer abc", "bearer  abc", "BEARER\tabc "})
    void convertWhenBearerIsAcceptedThenTheToken(String authorization) {
        ApiKeyAuthenticationConverter bearer = converter(new KeySources(List.of("X-API-Key"), true, null));
        request.addHeader("Authorization", authorization);

        assertThat(bearer.carriesKey(request)).isTrue();
        assertThat(bearer.convert(request))
                .isNotNull()
                .satisfies(presented -> assertThat(presented.getCredentials()).isEqualTo("abc"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ticket=a_b", "x=1&ticket=a_b", "ticket=a_b&x=1", "&&ticket=a_b", "%74icket=a%5Fb"})
    void convertWhenTicketIsInTheQueryThenTheTicket(String query) {
        ApiKeyAuthenticationConverter tickets = withTickets();
        request.setMethod("GET");
        request.setQueryString(query);

        assertThat(tickets.carriesKey(request)).isTrue();
        assertThat(tickets.convert(request)).isNotNull().satisfies(presented -> {
            assertThat(presented.getCredentials()).isEqualTo("a_b");
            assertThat(presented.isTicket()).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"ticket", "ticket=", "ticket=%", "x&ticket=%zz"})
    void convertWhenTicketIsMalformedThenNotNull(String query) {
        request.setMethod("GET");
        request.setQueryString(query);

        assertThat(withTickets().carriesKey(request)).isTrue();
        assertThat(withTickets().convert(request)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, tickets=a",
        "GET, Ticket=a",
        "GET, x=ticket",
        "GET, x=%26ticket=a",
        "GET, %ticket=a",
        "GET,",
        "POST, ticket=a",
        "HEAD, ticket=a",
        "OPTIONS, ticket=a"
    })
    void convertWhenThereIsNoTicketThenNull(String method, @Nullable String query) {
        request.setMethod(method);
        request.setQueryString(query);

        assertThat(withTickets().convert(request)).isNull();
        assertThat(withTickets().carriesKey(request)).isFalse();
    }

    @Test
    void convertWhenTicketsAreNotAcceptedThenNull() {
        request.setMethod("GET");
        request.setQueryString("ticket=a");

        assertThat(converter.convert(request)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ticket=a&ticket=a", "ticket=a&%74icket=b", "ticket=a&ticket"})
    void convertWhenThereAreTwoTicketsThenAmbiguous(String query) {
        request.setMethod("GET");
        request.setQueryString(query);

        assertThatExceptionOfType(RefusedCredentialsException.class)
                .isThrownBy(() -> withTickets().convert(request))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo("ambiguous"));
    }

    @ParameterizedTest
    @CsvSource({"X-API-Key, abc", "Authorization, ApiKey abc", "Authorization, Basic abc"})
    void convertWhenTicketHasCompanyThenAmbiguous(String header, String value) {
        request.setMethod("GET");
        request.setQueryString("ticket=a");
        request.addHeader(header, value);

        assertThatExceptionOfType(RefusedCredentialsException.class)
                .isThrownBy(() -> withTickets().convert(request))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo("ambiguous"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Key,x-key", "X-Key,Cookie", "X-Key,", "A,B,C,D,E,F,G,H,I"})
    void headerNamesWhenTheyCannotBeUsedThenRefused(String names) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ApiKeyConfigurer.apiKeys().headerNames(names.split(",", -1)));
    }

    @Test
    void headerNamesWhenNoneIsNamedThenRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ApiKeyConfigurer.apiKeys().headerNames());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a&b", "a=b", "\u00e4"})
    void ticketParameterWhenItNeedsEncodingThenRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ApiKeyConfigurer.apiKeys().acceptTickets(name));
    }

    private static ApiKeyAuthenticationConverter withTickets() {
        return converter(new KeySources(List.of("X-API-Key"), false, "ticket"));
    }

    private static ApiKeyAuthenticationConverter converter(KeySources sources) {
        return new ApiKeyAuthenticationConverter(sources, request -> false);
    }

    @Test
    void headerNameThenMayBeAsLongAsThePropertyAllows() {
        assertThatNoException().isThrownBy(() -> new KeySources(List.of("X".repeat(128)), false, null));
        assertThatIllegalArgumentException().isThrownBy(() -> new KeySources(List.of("X".repeat(129)), false, null));
    }
}
