package io.credential.spring.web.internal;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import io.credential.audit.AuditOrigin;

import static org.assertj.core.api.Assertions.assertThat;

class RequestCallerTests {

    private final RequestCaller caller = new RequestCaller();

    @BeforeEach
    @AfterEach
    void reset() {
        RequestContextHolder.resetRequestAttributes();
        MDC.clear();
    }

    private static void serve(MockHttpServletRequest request) {
        request.setRemoteAddr("192.0.2.1");
        request.addHeader("User-Agent", "curl/8\n");
        request.addHeader("X-Forwarded-For", "203.0.113.1");
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
    }

    @Test
    void originWhenRequestThenIsThatOfServer() {
        serve(new MockHttpServletRequest());
        MDC.put("traceId", "4bf92f35");

        assertThat(caller.origin()).isEqualTo(new AuditOrigin("192.0.2.1", "curl/8\ufffd", "4bf92f35"));
        assertThat(caller.get()).isNull();
    }

    @Test
    void originWhenNoRequestThenUnknown() {
        assertThat(caller.origin()).isEqualTo(AuditOrigin.UNKNOWN);
    }

    @Test
    void originWhenRequestHasEndedThenUnknown() {
        serve(new MockHttpServletRequest() {
            @Override
            public String getRemoteAddr() {
                throw new IllegalStateException("The request object has been recycled");
            }
        });

        assertThat(caller.origin()).isEqualTo(AuditOrigin.UNKNOWN);
    }
}
