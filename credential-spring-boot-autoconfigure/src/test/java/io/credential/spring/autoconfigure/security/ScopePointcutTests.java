package io.credential.spring.autoconfigure.security;

import java.lang.reflect.Proxy;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.framework.ProxyFactory;

import io.credential.spring.autoconfigure.security.internal.ScopeRequirements;
import io.credential.spring.security.RequiresScope;

import static org.assertj.core.api.Assertions.assertThat;

class ScopePointcutTests {

    private final ClassFilter filter = new ScopePointcut(new ScopeRequirements()).getClassFilter();

    @Test
    void classFilterWhenAnnotatedAnywhereThenMatches() {
        assertThat(List.of(Reader.class, Inheriting.class, Implementing.class, Annotated.class))
                .allMatch(filter::matches);
    }

    @Test
    void classFilterWhenGeneratedFromAnnotatedThenMatches() {
        Reader lambda = () -> "text";
        Object jdkProxy = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Reader.class}, (proxy, method, arguments) -> "text");
        ProxyFactory factory = new ProxyFactory(new Implementing());
        factory.setProxyTargetClass(true);

        assertThat(List.of(lambda, jdkProxy, factory.getProxy())).allMatch(object -> filter.matches(object.getClass()));
    }

    @Test
    void classFilterWhenNotAnnotatedThenDoesNotMatch() {
        Runnable lambda = () -> {};

        assertThat(List.of(Plain.class, String.class, lambda.getClass())).noneMatch(filter::matches);
    }

    interface Reader {

        @RequiresScope("texts:read")
        String read();
    }

    static class Implementing implements Reader {

        @Override
        public String read() {
            return "text";
        }
    }

    static class Inheriting extends Implementing {}

    @RequiresScope("texts:write")
    static class Annotated {}

    static class Plain {

        String read() {
            return "text";
        }
    }
}
