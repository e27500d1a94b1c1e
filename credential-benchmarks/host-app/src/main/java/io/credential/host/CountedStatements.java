package io.credential.host;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Adds a header to each response that says how many statements the thread of the request has prepared for it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("host.count-statements")
class CountedStatements {

    private static final String HEADER = "X-Statements";

    private static final ThreadLocal<Integer> PREPARED = ThreadLocal.withInitial(() -> 0);

    @Bean
    static BeanPostProcessor countedDataSource() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof DataSource source ? new CountedDataSource(source) : bean;
            }
        };
    }

    @Bean
    FilterRegistrationBean<OncePerRequestFilter> countedRequests() {
        FilterRegistrationBean<OncePerRequestFilter> registration = new FilterRegistrationBean<>(new CountedRequests());
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    private static final class CountedRequests extends OncePerRequestFilter {

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            PREPARED.set(0);
            // Keeps what Tomcat would otherwise send before the header is known.
            ContentCachingResponseWrapper kept = new ContentCachingResponseWrapper(response);
            chain.doFilter(request, kept);
            response.setIntHeader(HEADER, PREPARED.get());
            kept.copyBodyToResponse();
        }
    }

    private static final class CountedDataSource extends DelegatingDataSource {

        CountedDataSource(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("prepareStatement")
                                || method.getName().equals("createStatement")) {
                            PREPARED.set(PREPARED.get() + 1);
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
