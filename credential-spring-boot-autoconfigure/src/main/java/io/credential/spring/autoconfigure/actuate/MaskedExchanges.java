package io.credential.spring.autoconfigure.actuate;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.actuate.web.exchanges.HttpExchange;
import org.springframework.boot.actuate.web.exchanges.HttpExchangeRepository;
import org.springframework.core.NativeDetector;
import org.springframework.core.env.Environment;

/**
 * Masks API keys in what any repository of exchanges stores, and in what it returns. Recorded exchanges are shown by an
 * endpoint, and a repository of the application may store them for good.
 */
final class MaskedExchanges implements BeanPostProcessor {

    private final ExchangeMask mask;

    MaskedExchanges(Environment environment) {
        this.mask = new ExchangeMask(environment);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (!(bean instanceof HttpExchangeRepository repository)) {
            return bean;
        }
        return !NativeDetector.inNativeImage() && isExtensible(bean.getClass())
                ? subclass(repository)
                : new Decorator(repository, mask);
    }

    /** Keeps the class of the repository, by which the application may inject it. */
    private Object subclass(HttpExchangeRepository repository) {
        HttpExchangeRepository masked = new Decorator(repository, mask);
        ProxyFactory factory = new ProxyFactory(repository);
        factory.setProxyTargetClass(true);
        factory.addAdvice((MethodInterceptor) call -> {
            @Nullable Object[] arguments = call.getArguments();
            String method = call.getMethod().getName();
            if (method.equals("findAll") && arguments.length == 0) {
                return masked.findAll();
            }
            if (method.equals("add") && arguments.length == 1 && arguments[0] instanceof HttpExchange exchange) {
                masked.add(exchange);
                return null;
            }
            return call.proceed();
        });
        return factory.getProxy(repository.getClass().getClassLoader());
    }

    private static boolean isExtensible(Class<?> type) {
        return !Modifier.isFinal(type.getModifiers())
                && Arrays.stream(type.getMethods())
                        .noneMatch(method -> method.getDeclaringClass() != Object.class
                                && Modifier.isFinal(method.getModifiers())
                                && !Modifier.isStatic(method.getModifiers()));
    }

    private record Decorator(HttpExchangeRepository repository, ExchangeMask mask) implements HttpExchangeRepository {

        @Override
        public List<HttpExchange> findAll() {
            return repository.findAll().stream().map(mask::mask).toList();
        }

        @Override
        public void add(HttpExchange exchange) {
            repository.add(mask.mask(exchange));
        }
    }
}
