package io.credential.spring.security;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class KeyedRequestTests {

    @Test
    void getSessionWhenChainIsNotPassedThenRefused() {
        KeyedRequest request = new KeyedRequest(new MockHttpServletRequest());

        assertThatExceptionOfType(RefusedCredentialsException.class)
                .isThrownBy(request::getSession)
                .withMessageContaining("tried to create a session");
    }
}
