export { chooseTimeUnit, formatStretch, formatTime, type TimeUnit } from '@deadheat/report';
