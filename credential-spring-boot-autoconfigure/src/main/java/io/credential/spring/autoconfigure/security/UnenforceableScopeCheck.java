package io.credential.spring.autoconfigure.security;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.security.internal.ClassRequirements;
import io.credential.spring.security.RequiresScope;
import io.credential.spring.security.internal.RequiredScopes;

/**
 * Fails startup if no proxy can enforce {@link RequiresScope}. Beans are checked before they are proxied, so that this
 * failure comes first, and again if the proxy is a subclass. At the end of startup, beans that were not created (lazy
 * ones, other scopes) are checked by their type, and all others must have a proxy.
 */
final class UnenforceableScopeCheck implements BeanPostProcessor, SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(UnenforceableScopeCheck.class);

    private final ConfigurableListableBeanFactory beans;
    private final EarlyBeanCheck early;
    private final Set<String> processed = ConcurrentHashMap.newKeySet();
    private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();
    private final Set<Class<?>> checkedForSubclass = ConcurrentHashMap.newKeySet();

    UnenforceableScopeCheck(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        this.early = new EarlyBeanCheck(beans);
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        processed.add(beanName);
        check(bean.getClass(), beanName);
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        checkProxy(bean, beanName);
        return bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
            if (bean == null) {
                checkByType(name);
            } else if (bean instanceof FactoryBean
                    || !ClassRequirements.of(bean.getClass()).isEmpty()
                    || AopUtils.isAopProxy(bean)) {
                checkProxy(bean, name);
                early.check(name, processed.contains(name));
            }
        }
    }

    private void checkByType(String beanName) {
        try {
            Class<?> type = beans.getType(beanName, false);
            if (type != null) {
                check(type, beanName);
            }
        } catch (BeansException | LinkageError | IllegalStateException unresolvable) {
            // Classes of an unused bean may be missing; if it is created later, it is checked then.
            LOG.debug("Not checked for @RequiresScope: bean '{}'", beanName, unresolvable);
        }
    }

    private void check(Class<?> beanType, String beanName) {
        if (isGenerated(beanType)) {
            return;
        }
        Class<?> type = ClassUtils.getUserClass(beanType);
        ClassRequirements requirements = ClassRequirements.of(type);
        if (requirements.isEmpty()) {
            return;
        }
        if (checked.add(type)) {
            checkAnnotatedMethods(requirements, type, beanName);
        }
        if (willBeSubclassed(type)) {
            checkForSubclass(requirements, type, beanName);
        }
    }

    /**
     * A proxy of interfaces intercepts every call; one that is a subclass misses calls of methods that it cannot
     * override.
     */
    private void checkProxy(Object bean, String beanName) {
        if (AopUtils.isCglibProxy(bean)) {
            Class<?> type = ClassUtils.getUserClass(bean.getClass());
            ClassRequirements requirements = ClassRequirements.of(type);
            if (!requirements.isEmpty()) {
                checkForSubclass(requirements, type, beanName);
            }
        }
    }

    /** Returns whether the class is final because it is generated; it is proxied by its interfaces. */
    private static boolean isGenerated(Class<?> type) {
        return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
    }

    /** Returns whether the proxy will be a subclass, as far as that is known. */
    private boolean willBeSubclassed(Class<?> type) {
        return ClassUtils.getAllInterfacesForClass(type).length == 0
                || !(beans.getSingleton(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig creator)
                || creator.isProxyTargetClass();
    }

    private static void checkAnnotatedMethods(ClassRequirements requirements, Class<?> type, String beanName) {
        if (requirements.isTypeAnnotated()) {
            requireScopes(requirements.ofType(), beanName, type.getName());
        }
        for (ClassRequirements.AnnotatedMethod annotated : requirements.annotatedMethods()) {
            String place = place(annotated.method());
            requireScopes(annotated.scopes(), beanName, place);
            int modifiers = annotated.method().getModifiers();
            if (Modifier.isPrivate(modifiers)) {
                throw unenforceable(beanName, place, "the method is private");
            }
            if (Modifier.isStatic(modifiers)) {
                throw unenforceable(beanName, place, "the method is static");
            }
            if (!annotated.method().getDeclaringClass().isAssignableFrom(type)) {
                throw unenforceable(beanName, place, "the companion object is not a bean");
            }
        }
    }

    private static void requireScopes(RequiredScopes scopes, String beanName, String place) {
        if (scopes.isEmpty() || scopes.names().stream().anyMatch(String::isBlank)) {
            throw unenforceable(beanName, place, "it names no scope, or a blank one");
        }
    }

    private void checkForSubclass(ClassRequirements requirements, Class<?> type, String beanName) {
        if (!checkedForSubclass.add(type)) {
            return;
        }
        if (Modifier.isFinal(type.getModifiers())) {
            throw unenforceable(beanName, type.getName(), "the class is final");
        }
        for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
            if (isOperation(method)) {
                checkOverridable(method, requirements, type, beanName);
            }
        }
    }

    private static void checkOverridable(
            Method method, ClassRequirements requirements, Class<?> type, String beanName) {
        boolean ofMethod = !requirements.ofOperation(method).isEmpty();
        // The annotation of a class does not apply to methods that it inherits from the JDK or Spring.
        if (Modifier.isFinal(method.getModifiers())
                && (ofMethod
                        || (requirements.isTypeAnnotated()
                                && !ClassRequirements.isOfFramework(method.getDeclaringClass())))) {
            throw unenforceable(beanName, place(method), "the method is final");
        }
        if (isHiddenFrom(type, method) && (ofMethod || ClassRequirements.isAnnotated(method.getDeclaringClass()))) {
            throw unenforceable(
                    beanName,
                    place(method),
                    "the method is package-private, and " + type.getName() + " is in another package");
        }
    }

    private static boolean isOperation(Method method) {
        return method.getDeclaringClass() != Object.class
                && !Modifier.isPrivate(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers());
    }

    /** Returns whether a subclass in the package of the type, such as the proxy, cannot override the method. */
    private static boolean isHiddenFrom(Class<?> type, Method method) {
        Class<?> declaring = method.getDeclaringClass();
        return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0
                && !(declaring.getPackageName().equals(type.getPackageName())
                        && Objects.equals(declaring.getClassLoader(), type.getClassLoader()));
    }

    private static String place(Method method) {
        return ClassUtils.getQualifiedMethodName(method, method.getDeclaringClass());
    }

    private static CredentialConfigurationException unenforceable(String beanName, String place, String why) {
        return new CredentialConfigurationException(
                "@RequiresScope on " + place + " (bean '" + beanName + "') cannot be enforced: " + why + ".",
                "A proxy, a subclass of the bean's class, checks the scopes. The class must not be final. The method must"
                        + " not be final, private or static; an inherited one must be protected or public. In Kotlin, declare"
                        + " both open, without @JvmOverloads. Name at least one scope. Or require the scope in the"
                        + " security chain with authorizeHttpRequests and ScopeAuthorizationManager.hasScope(..).");
    }
}
